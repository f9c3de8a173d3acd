import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";

/** For lists in JSON: a page costs queries, and one of files a signature for each. @throws AppError 429 rate_limited */
export async function limitLists(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("list-user", userId));
}
