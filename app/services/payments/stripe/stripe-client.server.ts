import Stripe from "stripe";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { ProviderRefusal, providerError } from "~/services/payments/payment-faults";
import { scrubText } from "~/utils/scrub-text";
import { withoutTrailingSlashes } from "~/utils/trailing-slashes";

/** Limit for an attempt in milliseconds, including the response body. */
const TIMEOUT_MS = 10_000;
/** Each POST carries an idempotency key, so a retry cannot repeat the effect. */
const RETRIES = 1;

/**
 * The SDK with a configurable base URL. The SDK takes a host, port and protocol but no path before
 * `/v1`, which a gateway may need. The door's `fetch` also limits an attempt as a whole; Node's client
 * limits only pauses.
 */
export function createStripeClient(options: {
  secretKey: string;
  apiBase: string;
  timeoutMs?: number;
}): Stripe {
  const base = new URL(options.apiBase);
  const pathPrefix = withoutTrailingSlashes(base.pathname);
  return new Stripe(options.secretKey, {
    host: base.hostname,
    port: base.port || (base.protocol === "http:" ? "80" : "443"),
    protocol: base.protocol === "http:" ? "http" : "https",
    httpClient: Stripe.createFetchHttpClient(
      (input: string | URL | Request, init?: RequestInit) => {
        const target = new URL(input instanceof Request ? input.url : input);
        target.pathname = pathPrefix + target.pathname;
        return outgoingFetch("stripe")(target, init);
      },
    ),
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    // Telemetry would also write a file into the home directory.
    telemetry: false,
  });
}

/** Runs one call. @throws AppError 502 provider_error for any error of the SDK */
export async function callStripe<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw describeFault(error);
  }
}

/** Turns an error of the SDK into the app's own: 502 provider_error. */
export const describeFault = (error: unknown) => providerError(describeStripeError(error));

/**
 * Like `callStripe`, but returns null if Stripe has no such object. With `param`, only if the missing
 * object is that parameter's: a request can name several.
 */
export function findAtStripe<T>(call: () => Promise<T>, param?: string): Promise<T | null> {
  return callStripe(async () => {
    try {
      return await call();
    } catch (error) {
      if (isMissing(error) && (param === undefined || error.param === param)) return null;
      throw error;
    }
  });
}

function isMissing(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Stripe.errors.StripeError && error.code === "resource_missing";
}

/** The payment that a bank refused, if that is what the error says. */
export function declinedIntentOf(error: unknown): Stripe.PaymentIntent | null {
  return error instanceof Stripe.errors.StripeCardError ? (error.payment_intent ?? null) : null;
}

/**
 * Statuses of requests that Stripe doesn't take: nothing came of them. 401 and 403 say only that our secret key may not ask. The
 * same request was perhaps taken before the key changed, or will be once it's repaired.
 */
const REFUSALS = [400, 402, 404];

/** Whether nothing came of a request. One under a key that is used otherwise, or right now, may have had an effect. */
export function isRefused(error: unknown): boolean {
  const { StripeError, StripeIdempotencyError } = Stripe.errors;
  if (!(error instanceof StripeError) || error instanceof StripeIdempotencyError) return false;
  return REFUSALS.includes(error.statusCode ?? 0);
}

/** Whether another request came first under the same key, with other parameters. It may still be going on. */
export const isKeyUsed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeIdempotencyError;

/** The SDK's errors carry headers and the raw response; only the parts that help an operator are kept. */
function describeStripeError(error: unknown): Error {
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new Error(error instanceof Error ? scrubText(error.message) : "unknown");
  }
  const facts = { status: error.statusCode, code: error.code, param: error.param };
  const known = Object.entries({ ...facts, request: error.requestId }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  const message = `Stripe: ${[error.type, ...known].join(", ")}: ${scrubText(error.message)}`;
  return error.statusCode ? new ProviderRefusal(error.statusCode, message) : new Error(message);
}
