import { setTimeout as sleep } from "node:timers/promises";
import { getEnv } from "~/env.server";
import { takeTurn } from "~/models/accounts/turns.server";
import {
  consumeRateLimit,
  consumeRateLimits,
  peekRateLimits,
  type RateLimitRule,
  releaseRateLimits,
} from "~/models/rate-limits.server";
import { addressRules } from "~/server/address-limits.server";
import { rateLimited } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";
import { fingerprint } from "~/utils/token.server";

/** Between two tries at an account that is under attack; divided by `RATE_LIMIT_SCALE`. */
const TURN_SECONDS = 3;
/** Whoever would wait longer is told to come back. */
const MAX_WAIT_SECONDS = 12;

interface SignInTry {
  email: string;
  clientAddress: string;
  /** The browser's id, if it signed in to this account before. */
  deviceId: string | null;
}

/** A try that was let in. It counts as a failure until it is released. */
export interface AdmittedTry {
  failureKeys: string[];
  successRules: RateLimitRule[];
}

/**
 * Lets one try at a password in, or refuses it. It counts as a failed one from here on, before the
 * password is checked: parallel guesses cannot all pass before the first of them has failed.
 *
 * A browser that signed in to the account before has a limit of its own, and neither guesses from
 * elsewhere nor others at its address use it up. All other tries are limited by address, and by
 * account and address. At an account with many failures they take turns as well: a limit on the
 * account alone would let anybody lock its owner out.
 * @throws AppError 429 rate_limited
 */
export async function admitSignIn(attempt: SignInTry): Promise<AdmittedTry> {
  const { email, clientAddress, deviceId } = attempt;
  const account = fingerprint(email);
  const successRules = [
    limitRule("signed-in-account", account),
    ...(deviceId ? [] : addressRules("signed-in-address", clientAddress)),
  ];
  const full = await peekRateLimits(successRules);
  if (full.status === "limited") throw rateLimited(full.rule, full.retryAfterSeconds);

  const groups = deviceId
    ? [[limitRule("sign-in-device", fingerprint(email, deviceId))]]
    : // The address first: one that is refused leaves no row for each account that it tries.
      [
        addressRules("sign-in-address", clientAddress),
        addressRules("sign-in-account-address", clientAddress, email),
      ];
  const failureKeys: string[] = [];
  try {
    for (const rules of groups) {
      const result = await consumeRateLimits(rules);
      if (result.status === "limited") throw rateLimited(result.rule, result.retryAfterSeconds);
      failureKeys.push(...rules.map(({ key }) => key));
    }
    if (!deviceId) {
      const rule = limitRule("sign-in-account", account);
      const { status } = await consumeRateLimit(rule);
      failureKeys.push(rule.key);
      if (status === "limited") await waitForTurn(account);
    }
  } catch (error) {
    // A try whose password is not checked is no failure.
    await releaseRateLimits(failureKeys);
    throw error;
  }
  return { failureKeys, successRules };
}

async function waitForTurn(account: string): Promise<void> {
  const key = `sign-in-turn:${account}`;
  const turn = await takeTurn({
    key,
    spacingSeconds: TURN_SECONDS / getEnv().rateLimitScale,
    maxWaitSeconds: MAX_WAIT_SECONDS,
  });
  if (turn.status === "refused") throw rateLimited({ key }, turn.retryAfterSeconds);
  await sleep(turn.waitSeconds * 1000);
}

/** Takes a try back from the failures: its password was right, or was not checked. */
export function releaseTry({ failureKeys }: AdmittedTry): Promise<void> {
  return releaseRateLimits(failureKeys);
}

/** Counts a try whose password was right. @throws AppError 429 rate_limited */
export async function countSignIn({ successRules }: AdmittedTry): Promise<void> {
  const result = await consumeRateLimits(successRules);
  if (result.status === "limited") throw rateLimited(result.rule, result.retryAfterSeconds);
}
