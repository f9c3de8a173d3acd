import type { RateLimitRule } from "~/models/rate-limits.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { AppError } from "~/utils/app-error";

/** Limits a page or file that takes a lot of work. @throws Response 429 */
export async function limitPage(rule: RateLimitRule): Promise<void> {
  try {
    await enforceRateLimit(rule);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Response(error.publicMessage, { status: error.status, headers: error.headers });
  }
}
