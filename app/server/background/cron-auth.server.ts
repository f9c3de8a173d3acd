import { createHash, timingSafeEqual } from "node:crypto";
import { getEnv } from "~/env.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Admits the scheduler only: `Authorization: Bearer <CRON_SECRET>`, compared in constant time.
 * @throws AppError 503 cron_disabled without a CRON_SECRET, 401 unauthenticated
 */
export function requireCronSecret(request: Request): void {
  const { cronSecret } = getEnv();
  if (cronSecret === null) {
    throw new AppError({
      code: "cron_disabled",
      publicMessage:
        "CRON_SECRET isn't set on this server, so scheduled tasks can't be started. Set it, then try again.",
    });
  }
  if (hasCronSecret(request)) return;
  const reason = request.headers.has("Authorization") ? "wrong_bearer" : "no_bearer";
  securityEvent("bearer_refused", { outcome: "failure", reason });
  throw new AppError({
    code: "unauthenticated",
    publicMessage:
      "The secret is missing or wrong. Send the header `Authorization: Bearer` followed by CRON_SECRET.",
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

/** Whether a request carries the scheduler's bearer token; always false without a `CRON_SECRET`. */
export function hasCronSecret(request: Request): boolean {
  const { cronSecret } = getEnv();
  const sent = request.headers.get("Authorization") ?? "";
  // Compares digests: timingSafeEqual requires equal lengths, and the secret's length must not
  // leak.
  return cronSecret !== null && timingSafeEqual(digest(sent), digest(`Bearer ${cronSecret}`));
}
