import { AppError } from "~/utils/app-error";

/** Visible ASCII, as Stripe and the IETF draft specify; long enough for any UUID with a prefix. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The request's `Idempotency-Key`, or null without one. @throws AppError 400 invalid_input */
export function readIdempotencyKey(request: Request): string | null {
  const key = request.headers.get("Idempotency-Key");
  if (key === null || KEY.test(key)) return key;
  throw new AppError({
    code: "invalid_input",
    publicMessage: "Nothing was changed. Check this header: Idempotency-Key.",
    fields: { "Idempotency-Key": ["Use 1 to 255 visible ASCII characters without spaces."] },
  });
}

const REFUSALS = {
  idempotency_mismatch:
    "You've used this Idempotency-Key with another request. Nothing was charged. Send a new key.",
  idempotency_in_progress:
    "The request with this Idempotency-Key is still running. Send it again in a few seconds.",
};

/** Maps a refused use of a key to its error. */
export function idempotencyRefused(code: keyof typeof REFUSALS): AppError {
  return new AppError({ code, publicMessage: REFUSALS[code] });
}
