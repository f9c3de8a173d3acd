import { consumeRateLimit, type RateLimitRule, ruleName } from "~/models/rate-limits.server";
import { AppError } from "~/utils/app-error";
import { count } from "~/utils/metrics.server";
import { securityEvent } from "~/utils/security-event.server";

/** Counts one use. @throws AppError 429 rate_limited, with `Retry-After`, beyond the rule's limit */
export async function enforceRateLimit(rule: RateLimitRule): Promise<void> {
  const result = await consumeRateLimit(rule);
  if (result.status === "limited") throw rateLimited(rule, result.retryAfterSeconds);
}

/** Builds the refusal and logs the rule's name, but not the subject it counted. */
export function rateLimited(rule: Pick<RateLimitRule, "key">, retryAfterSeconds: number): AppError {
  count("rcs_refusals_total", { limit: ruleName(rule) });
  securityEvent("rate_limited", { outcome: "failure", details: { rule: ruleName(rule) } });
  return new AppError({
    code: "rate_limited",
    publicMessage: `Too many requests. Try again in ${retryAfterSeconds} seconds.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
