import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import {
  addLink,
  findLinkedUser,
  lockProviderAccount,
} from "~/models/accounts/oauth-accounts.server";
import { mailLinkChange } from "~/models/accounts/oauth-emails.server";
import { isSessionFresh } from "~/models/accounts/reauthentication.server";
import { endSessions } from "~/models/accounts/sessions.server";
import { lockSignInMethods } from "~/models/accounts/sign-in-methods.server";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";

/** A linked provider's account as its owner sees it. */
export interface OwnLink {
  provider: string;
  label: string | null;
  createdAt: Date;
}

/** The user's linked providers, in the order they were linked. */
export function listLinks(userId: string, db: DatabaseOrTransaction = getDb()): Promise<OwnLink[]> {
  return db.oauthAccount.findMany({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { provider: true, label: true, createdAt: true },
  });
}

export type LinkResult =
  /** `changed` is false if it was linked before. */
  | { status: "linked"; changed: boolean }
  /** The provider's account belongs to another account here. */
  | { status: "belongs_to_other" }
  /** The user has another account of this provider linked. */
  | { status: "other_linked" }
  /** The session's last proof of identity is too old, or the session has ended. */
  | { status: "not_fresh" };

/**
 * Links a provider's account to the session's user and tells them by email. Refused if it is somebody
 * else's, and without a proof of identity within the last ten minutes.
 */
export function linkProvider(
  { userId, sessionId, identity }: { userId: string; sessionId: string; identity: OauthIdentity },
  db: Database = getDb(),
): Promise<LinkResult> {
  const { provider } = identity;
  // Read committed: first the provider's account is locked, then the user's, so that what is read below
  // cannot change before the insert.
  return db.$transaction(async (transaction) => {
    await lockProviderAccount(identity, transaction);
    const { providers } = await lockSignInMethods(userId, transaction);
    if (!(await isSessionFresh(sessionId, transaction))) return { status: "not_fresh" };
    const ownerId = await findLinkedUser(identity, transaction);
    if (ownerId === userId) return { status: "linked", changed: false };
    if (ownerId) return { status: "belongs_to_other" };
    if (providers.includes(provider)) return { status: "other_linked" };
    await addLink({ userId, identity }, transaction);
    await mailLinkChange({ userId, provider, change: "provider_linked" }, transaction);
    return { status: "linked", changed: true };
  });
}

export type UnlinkResult =
  | { status: "unlinked"; sessionsEnded: number }
  | { status: "not_linked" }
  /** Without it the user could not sign in any more. */
  | { status: "last_way" };

/**
 * Unlinks a provider, ends the user's other sessions (whoever has the provider's account may have begun
 * them) and tells the user by email. The last way to sign in stays; `enabled` are the providers that
 * people can sign in with now.
 */
export function unlinkProvider(
  unlink: {
    userId: string;
    sessionId: string;
    provider: OauthProvider;
    enabled: OauthProvider[];
  },
  db: Database = getDb(),
): Promise<UnlinkResult> {
  const { userId, sessionId, provider, enabled } = unlink;
  // Read committed: removals of one account take turns at its lock.
  return db.$transaction(async (transaction) => {
    const { hasPassword, passkeys, providers } = await lockSignInMethods(userId, transaction);
    if (!providers.includes(provider)) return { status: "not_linked" };
    const others = enabled.filter((other) => other !== provider && providers.includes(other));
    if (!hasPassword && passkeys === 0 && others.length === 0) return { status: "last_way" };
    await transaction.oauthAccount.deleteMany({ where: { userId, provider } });
    const sessionsEnded = await endSessions({ userId, except: sessionId }, transaction);
    await mailLinkChange({ userId, provider, change: "provider_unlinked" }, transaction);
    return { status: "unlinked", sessionsEnded };
  });
}
