import { type Database, getDb, type Transaction } from "~/db.server";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { dropUnverifiedSignInMethods } from "~/models/accounts/unverified-sign-in-methods.server";
import {
  findLinkAccount,
  type LinkAccount,
  lockLinkOwner,
  spendLink,
} from "~/models/accounts/verification-tokens.server";

const PURPOSE = "sign_in_link";

/** The account that a working sign-in link was sent to; null for any other token. */
export function findSignInLink(token: string, db?: Transaction): Promise<LinkAccount | null> {
  return findLinkAccount({ token, purpose: PURPOSE }, db);
}

export type SignInLinkResult =
  /** `claimed`: the address was unverified, and what others knew of the account was dropped. */
  { status: "entered"; userId: string; claimed: boolean } | { status: "invalid_link" };

/**
 * Uses up a sign-in link, which proves access to the mailbox and so verifies the address. An account
 * whose address was unverified until now may have been made by a stranger: its password, its other ways
 * in and its sessions are dropped, so that nobody but the mailbox's owner can get in.
 */
export function enterByLink(token: string, db: Database = getDb()): Promise<SignInLinkResult> {
  // Read committed: two clicks take turns at the account's lock, and the conditional write that uses up
  // the link decides.
  return db.$transaction(async (transaction) => {
    const link = { token, purpose: PURPOSE } as const;
    const userId = await lockLinkOwner(link, transaction);
    if (!userId || (await spendLink(link, transaction)) !== "used")
      return { status: "invalid_link" };
    const claimed = await dropUnverifiedSignInMethods(userId, transaction);
    await markEmailVerified(userId, transaction);
    return { status: "entered", userId, claimed };
  });
}
