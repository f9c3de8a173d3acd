import { setTimeout as sleep } from "node:timers/promises";
import { getEnv } from "~/env.server";
import { takeTurn } from "~/models/accounts/sign-in-queue.server";
import {
  consumeRateLimit,
  consumeRateLimits,
  peekRateLimits,
  type RateLimitRule,
  releaseRateLimits,
} from "~/models/rate-limits.server";
import { challengeRequired } from "~/server/accounts/bot-challenge.server";
import { addressRules, enforceAddressLimit } from "~/server/limits/address-limits.server";
import { rateLimited } from "~/server/limits/enforce-rate-limit.server";
import { limitRule, RATE_LIMITS } from "~/server/limits/rate-limit-rules";
import type { AppError } from "~/utils/app-error";
import { fingerprint } from "~/utils/token.server";

/** Seconds between two tries at an account under attack; divided by `RATE_LIMIT_SCALE`. */
const TURN_SECONDS = 3;
/**
 * Failures at one account or from one address after which a browser without the account's device cookie
 * has to take the bot challenge; multiplied by `RATE_LIMIT_SCALE`.
 */
const CHALLENGE_AFTER = { account: 5, address: 15 };
/** A try that would wait longer is refused with a time to retry. */
const MAX_WAIT_SECONDS = 12;

interface SignInTry {
  email: string;
  clientAddress: string;
  /** The browser's id, if it signed in to this account before. */
  deviceId: string | null;
  /** Whether the form brings a token of the bot challenge. */
  hasToken: boolean;
}

/** A try that was admitted. It counts as a failure until it is released. */
export interface AdmittedTry {
  failureKeys: string[];
  successRules: RateLimitRule[];
  /** After many failures, where the browser is unknown to the account. */
  needsChallenge: boolean;
  /** The account is under attack: the password is checked in its turn. */
  needsTurn: boolean;
}

/**
 * Admits one password try or refuses it. An admitted try counts as a failure before the password is
 * checked: otherwise parallel guesses would all pass before the first one failed.
 *
 * A browser that signed in to the account before has its own limits, which guesses and sign-ins from
 * elsewhere or from others at its address don't use up. All other tries are limited by address, and by account
 * and address together. At an account with many failures they also take turns: a plain limit on the
 * account would let anybody lock its owner out. Long before that they need the bot challenge.
 *
 * A try that needs the challenge and has no token is refused before anything is counted of it but its
 * network: a flood of them leaves no row for each account that it names.
 * @throws AppError 400 challenge_required, 429 rate_limited
 */
export async function admitSignIn(attempt: SignInTry): Promise<AdmittedTry> {
  const { email, clientAddress, deviceId, hasToken } = attempt;
  const account = fingerprint(email);
  const isChallenged = !deviceId && getEnv().turnstile !== null;
  if (isChallenged && !hasToken && (await isSuspicious(account, clientAddress, { counted: 0 })))
    throw await refuseUnproven(clientAddress);
  const successRules = deviceId
    ? [limitRule("signed-in-device", fingerprint(email, deviceId))]
    : [
        limitRule("signed-in-account", account),
        ...addressRules("signed-in-address", clientAddress),
      ];
  const full = await peekRateLimits(successRules);
  if (full.status === "limited") throw rateLimited(full.rule, full.retryAfterSeconds);

  const groups = deviceId
    ? [[limitRule("sign-in-device", fingerprint(email, deviceId))]]
    : // The address first: a refused address then leaves no row for each account it tries.
      [
        addressRules("sign-in-address", clientAddress),
        addressRules("sign-in-account-address", clientAddress, email),
      ];
  const failureKeys: string[] = [];
  let needsTurn = false;
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
      needsTurn = status === "limited";
    }
  } catch (error) {
    // A try whose password isn't checked doesn't count as a failure.
    await releaseRateLimits(failureKeys);
    throw error;
  }
  // Again: tries at the same time may have been counted since.
  const needsChallenge =
    isChallenged && (await isSuspicious(account, clientAddress, { counted: 1 }));
  return { failureKeys, successRules, needsChallenge, needsTurn };
}

/**
 * Counts a sign-in without the challenge that it needs, and returns its refusal.
 * @throws AppError 429 rate_limited
 */
export async function refuseUnproven(clientAddress: string): Promise<AppError> {
  await enforceAddressLimit("sign-in-unproven-address", clientAddress);
  return challengeRequired();
}

/**
 * Whether the tries so far and this one are beyond the failures of a forgetful person. `counted` is 1 if
 * this one is counted already.
 */
async function isSuspicious(
  account: string,
  clientAddress: string,
  { counted }: { counted: 0 | 1 },
): Promise<boolean> {
  const { status } = await peekRateLimits([
    // Looking counts one more use.
    { ...limitRule("sign-in-account", account), limit: CHALLENGE_AFTER.account + counted },
    ...addressRules("sign-in-address", clientAddress).map((rule) => ({
      ...rule,
      limit:
        (rule.limit * CHALLENGE_AFTER.address) / RATE_LIMITS["sign-in-address"].limit + counted,
    })),
  ]);
  return status === "limited";
}

/** Waits until it is this try's turn at the account. @throws AppError 429 rate_limited */
export async function waitForTurn(email: string): Promise<void> {
  const key = `sign-in-turn:${fingerprint(email)}`;
  const turn = await takeTurn({
    key,
    spacingSeconds: TURN_SECONDS / getEnv().rateLimitScale,
    maxWaitSeconds: MAX_WAIT_SECONDS,
  });
  if (turn.status === "refused") throw rateLimited({ key }, turn.retryAfterSeconds);
  await sleep(turn.waitSeconds * 1000);
}

/** Removes a try from the failures: its password was correct, or wasn't checked. */
export function releaseTry({ failureKeys }: AdmittedTry): Promise<void> {
  return releaseRateLimits(failureKeys);
}

/** Counts a try with the correct password. @throws AppError 429 rate_limited */
export async function countSignIn({ successRules }: AdmittedTry): Promise<void> {
  const result = await consumeRateLimits(successRules);
  if (result.status === "limited") throw rateLimited(result.rule, result.retryAfterSeconds);
}
