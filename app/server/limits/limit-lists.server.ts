import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";

/**
 * Limits the JSON lists: each page costs queries, and a page of files a signature per file.
 * @throws AppError 429 rate_limited
 */
export async function limitLists(userId: string): Promise<void> {
  await enforceRateLimit(limitRule("list-user", userId));
}
