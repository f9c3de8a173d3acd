import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import type { Locale } from "~/i18n/locale";
import { markEmailVerified } from "~/models/accounts/email-verification.server";
import { claimAddress } from "~/models/accounts/oauth-claims.server";
import { mailLinkChange } from "~/models/accounts/oauth-emails.server";
import { createUser } from "~/models/accounts/users.server";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";

type ProviderAccount = Pick<OauthIdentity, "provider" | "accountId">;

/** The account that a provider's account is linked to; null for none. Nothing else finds an account. */
export async function findLinkedUser(
  { provider, accountId: providerAccountId }: ProviderAccount,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const link = await db.oauthAccount.findUnique({
    where: { provider_providerAccountId: { provider, providerAccountId } },
    select: { userId: true },
  });
  return link?.userId ?? null;
}

/**
 * Lets the decisions about one provider's account take turns. A row lock can't: before the first sign-in
 * there is no row, and two at once with different addresses would create two accounts. Taken before the
 * user's row, everywhere.
 */
export async function lockProviderAccount(
  { provider, accountId }: ProviderAccount,
  transaction: Transaction,
): Promise<void> {
  await transaction.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(${`oauth:${provider}:${accountId}`}, 0))`;
}

/** Links a provider's account to a user. Runs under both locks. */
export async function addLink(
  { userId, identity }: { userId: string; identity: OauthIdentity },
  transaction: Transaction,
): Promise<void> {
  const { provider, accountId, label } = identity;
  await transaction.$executeRaw`
    INSERT INTO oauth_accounts (user_id, provider, provider_account_id, label, last_used_at)
    VALUES (${userId}::uuid, ${provider}, ${accountId}, ${label}, now())`;
}

export type ProviderSignIn =
  /** `claimed`: the account's address was unverified, and its sign-in methods were replaced by this one. */
  | { status: "known" | "created" | "claimed"; userId: string }
  /** The provider doesn't say that the person proved an address. */
  | { status: "email_unverified" }
  /** A verified account has the address: its owner signs in to it and links the provider there. */
  | { status: "email_taken" }
  /** An operator disabled the unverified account that has the address. */
  | { status: "account_disabled" };

/**
 * Finds or makes the account of a person who came from a provider. The provider's id alone finds one;
 * an address never does. A new account has the provider's verified address, so it gets its
 * `SIGNUP_CREDITS` at once: the person pressed the provider's button, as others press ours.
 */
export function signInByProvider(
  { identity, locale }: { identity: OauthIdentity; locale: Locale },
  db: Database = getDb(),
): Promise<ProviderSignIn> {
  // Read committed: after the lock every statement sees what an earlier turn committed. The unique key
  // on the address decides against a sign-up with a password at the same time.
  return db.$transaction(async (transaction) => {
    await lockProviderAccount(identity, transaction);
    const ownerId = await findLinkedUser(identity, transaction);
    if (ownerId) {
      await noteUse(identity, transaction);
      return { status: "known", userId: ownerId };
    }
    const { verifiedEmail: email, name } = identity;
    if (!email) return { status: "email_unverified" };
    const created = await createUser({ email, passwordHash: null, name, locale }, transaction);
    const account =
      created.status === "created"
        ? ({ status: "created", userId: created.userId } as const)
        : await claimAddress({ email, name, locale }, transaction);
    if (account.status !== "created" && account.status !== "claimed") return account;
    await addLink({ userId: account.userId, identity }, transaction);
    await markEmailVerified(account.userId, transaction);
    if (account.status === "claimed") {
      const { userId } = account;
      const { provider } = identity;
      await mailLinkChange({ userId, provider, change: "provider_linked" }, transaction);
    }
    return account;
  });
}

/** Only the time: what the provider calls the account, or its address, changes nothing here. */
async function noteUse(
  { provider, accountId }: ProviderAccount,
  transaction: Transaction,
): Promise<void> {
  await transaction.$executeRaw`
    UPDATE oauth_accounts SET last_used_at = now()
    WHERE provider = ${provider} AND provider_account_id = ${accountId}`;
}
