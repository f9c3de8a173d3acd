import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";

/**
 * Counts one form of a signed-in browser that has no limit of its own. By session: whoever has one of an
 * account's sessions must not be able to keep its owner from ending it.
 * @throws AppError 429 rate_limited
 */
export function limitForms({ sessionId }: { sessionId: string }): Promise<void> {
  return enforceRateLimit(limitRule("form-session", sessionId));
}
