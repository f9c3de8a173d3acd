import { consumeRateLimits, type RateLimitRule } from "~/models/rate-limits.server";
import { rateLimited } from "~/server/limits/enforce-rate-limit.server";
import { limitRule, type RateLimitName } from "~/server/limits/rate-limit-rules";
import { networksOf } from "~/utils/network-address";
import { fingerprint } from "~/utils/token.server";

/**
 * Returns the rules of one address limit, one for each network it counts; `about` narrows the
 * subject.
 */
export function addressRules(
  name: RateLimitName,
  clientAddress: string,
  ...about: string[]
): RateLimitRule[] {
  return networksOf(clientAddress).map(({ network, scale }) => {
    const rule = limitRule(name, fingerprint(...about, network));
    return { ...rule, limit: rule.limit * scale };
  });
}

/** Counts one use for every network of the address. @throws AppError 429 rate_limited */
export async function enforceAddressLimit(
  name: RateLimitName,
  clientAddress: string,
): Promise<void> {
  const result = await consumeRateLimits(addressRules(name, clientAddress));
  if (result.status === "limited") throw rateLimited(result.rule, result.retryAfterSeconds);
}
