import type { ActionKey } from "~/catalog";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";

/** @throws AppError 429 rate_limited beyond the catalog's `runsPerMinute` of the action */
export function limitRuns(action: ActionKey, userId: string): Promise<void> {
  return enforceRateLimit(limitRule(`run-${action}-user`, userId));
}
