import { ACTION_KEYS, ACTIONS, type ActionKey } from "~/catalog";
import type { RateLimitRule } from "~/models/rate-limits.server";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface RateLimit {
  /** Uses within one window, before `RATE_LIMIT_SCALE` multiplies it. */
  limit: number;
  windowSeconds: number;
}

/** The runs of each action that a user may begin. */
const RUN_LIMITS = Object.fromEntries(
  ACTION_KEYS.map((key) => [
    `run-${key}-user`,
    { limit: ACTIONS[key].runsPerMinute, windowSeconds: MINUTE },
  ]),
) as Record<`run-${ActionKey}-user`, RateLimit>;

/**
 * Every rate limit of the service. Limits that end in `-address` count an IPv6 address by /64, /56
 * and /48 (see `networksOf`). `docs/http-api.md` prints this table, and a test compares the two.
 */
export const RATE_LIMITS = {
  /** Failed sign-ins at all accounts together. */
  "sign-in-address": { limit: 50, windowSeconds: 15 * MINUTE },
  /** Failed sign-ins at one account. */
  "sign-in-account-address": { limit: 10, windowSeconds: 15 * MINUTE },
  /** Failed sign-ins at one account from a browser that signed in to it before. */
  "sign-in-device": { limit: 10, windowSeconds: 15 * MINUTE },
  /** Failed sign-ins at one account from everywhere else. Beyond this, tries take turns. */
  "sign-in-account": { limit: 50, windowSeconds: HOUR },
  /** Sign-ins that lacked the bot challenge where it was needed; no password was checked. */
  "sign-in-unproven-address": { limit: 60, windowSeconds: 15 * MINUTE },
  /** Right passwords, from browsers that did not sign in to the account before. */
  "signed-in-address": { limit: 60, windowSeconds: 15 * MINUTE },
  "signed-in-account": { limit: 20, windowSeconds: 15 * MINUTE },
  /** The same from a browser that did. */
  "signed-in-device": { limit: 20, windowSeconds: 15 * MINUTE },
  /** Sign-ins, links and confirmations begun at a provider. */
  "provider-address": { limit: 60, windowSeconds: 15 * MINUTE },
  "sign-up-address": { limit: 10, windowSeconds: HOUR },
  /** New passwords checked for strength, accepted or not. */
  "new-password-address": { limit: 30, windowSeconds: 15 * MINUTE },
  /** Emails that tell an owner that somebody signed up with their address. */
  "sign-up-notice-account": { limit: 1, windowSeconds: DAY },
  "reset-account": { limit: 5, windowSeconds: HOUR },
  "reset-address": { limit: 20, windowSeconds: HOUR },
  /** Reset links asked for without the bot challenge, where it is on. */
  "reset-unproven-address": { limit: 5, windowSeconds: HOUR },
  /** Accounts created without the bot challenge, where it is on. */
  "held-sign-up-address": { limit: 5, windowSeconds: HOUR },
  "sign-in-link-account": { limit: 5, windowSeconds: HOUR },
  "sign-in-link-address": { limit: 20, windowSeconds: HOUR },
  /** Mailed links that confirm who a signed-in user is. */
  "confirm-link-user": { limit: 5, windowSeconds: HOUR },
  "verify-user": { limit: 5, windowSeconds: HOUR },
  /** Links that confirm a new address. */
  "change-email-user": { limit: 5, windowSeconds: HOUR },
  /** Links mailed to an address that nobody has proved, of all accounts together. Silent. */
  "mail-stranger": { limit: 3, windowSeconds: HOUR },
  "mail-stranger-day": { limit: 5, windowSeconds: DAY },
  /** Passwords of a signed-in user: the wrong ones, then all of them. */
  "wrong-password-user": { limit: 10, windowSeconds: 15 * MINUTE },
  "password-user": { limit: 30, windowSeconds: 15 * MINUTE },
  /** Wrong codes of an account's authenticator app from a browser that signed in to it before. */
  "wrong-code-device": { limit: 10, windowSeconds: 15 * MINUTE },
  "wrong-code-device-day": { limit: 50, windowSeconds: DAY },
  /** The same from everywhere else, at sign-in and later. */
  "wrong-code-user": { limit: 10, windowSeconds: 15 * MINUTE },
  "wrong-code-user-day": { limit: 50, windowSeconds: DAY },
  /** Wrong recovery codes, counted apart: wrong codes of the app must not lock their owner out. */
  "wrong-recovery-code-device": { limit: 10, windowSeconds: 15 * MINUTE },
  "wrong-recovery-code-user": { limit: 10, windowSeconds: 15 * MINUTE },
  /** Mailed links that sign in, used or tried. */
  "mailed-link-address": { limit: 60, windowSeconds: 15 * MINUTE },
  /** Emails that tell an owner that somebody has their password and guesses codes. */
  "password-known-notice-user": { limit: 1, windowSeconds: DAY },
  /** Challenges for a passkey at sign-in, and passkeys checked. */
  "passkey-challenge-address": { limit: 300, windowSeconds: 15 * MINUTE },
  "passkey-sign-in-address": { limit: 60, windowSeconds: 15 * MINUTE },
  /** The same of a signed-in user. */
  "passkey-user": { limit: 60, windowSeconds: 15 * MINUTE },
  /** Requests with one key, and such whose key is wrong. */
  "api-key": { limit: 300, windowSeconds: MINUTE },
  "wrong-key-address": { limit: 60, windowSeconds: 15 * MINUTE },
  ...RUN_LIMITS,
  "upload-user": { limit: 60, windowSeconds: MINUTE },
  /** Prompts kept for visitors who have to sign in first. */
  "draft-address": { limit: 60, windowSeconds: 15 * MINUTE },
  /** Uploads confirmed, by the API and by the page's form together. */
  "confirm-upload-user": { limit: 60, windowSeconds: MINUTE },
  "delete-file-user": { limit: 120, windowSeconds: MINUTE },
  /** Archives of selected images. */
  "zip-user": { limit: 20, windowSeconds: MINUTE },
  /** Changes of who can see generated images: each copies objects. */
  "image-access-user": { limit: 60, windowSeconds: MINUTE },
  "checkout-user": { limit: 20, windowSeconds: MINUTE },
  "portal-user": { limit: 20, windowSeconds: MINUTE },
  /** Billing pages that ask the provider for the card and the next invoice. */
  "billing-page-user": { limit: 30, windowSeconds: MINUTE },
  /** Cancellations of a subscription, and what takes one back, together. */
  "cancel-resume-user": { limit: 20, windowSeconds: MINUTE },
  /** Returns from a checkout whose signature is checked. */
  "confirm-payment-address": { limit: 60, windowSeconds: MINUTE },
  /** Pages and forms that change a plan. */
  "plan-change-user": { limit: 30, windowSeconds: MINUTE },
  /** Pages of the JSON lists together. */
  "list-user": { limit: 300, windowSeconds: MINUTE },
  /** Looks at a run. */
  "run-user": { limit: 300, windowSeconds: MINUTE },
  /** Estimates of runs. */
  "estimate-user": { limit: 300, windowSeconds: MINUTE },
  "picture-user": { limit: 300, windowSeconds: MINUTE },
  /** Forms of a signed-in browser that change something and have no limit of their own. */
  "form-session": { limit: 60, windowSeconds: MINUTE },
  /** Permissions for the support to look; each leaves a row that stays. Taking one back has no limit of its own. */
  "support-access-user": { limit: 20, windowSeconds: DAY },
  "delete-account-user": { limit: 10, windowSeconds: 15 * MINUTE },
  /** Emails turned off by the link in one, without a session. */
  "unsubscribe-user": { limit: 20, windowSeconds: MINUTE },
  "export-user": { limit: 10, windowSeconds: HOUR },
  "credits-csv-user": { limit: 10, windowSeconds: HOUR },
  "usage-csv-user": { limit: 10, windowSeconds: HOUR },
} satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof RATE_LIMITS;

/**
 * Returns the rule of one limit for one subject: the id of a user or a session, or a fingerprint of
 * personal data.
 */
export function limitRule(name: RateLimitName, subject: string): RateLimitRule {
  return { key: `${name}:${subject}`, ...RATE_LIMITS[name] };
}
