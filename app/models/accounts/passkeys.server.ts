import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { lockAccount } from "~/models/accounts/account-lock.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { lockSignInMethods } from "~/models/accounts/sign-in-methods.server";
import { isUuid } from "~/utils/uuid";

const PASSKEYS_PER_USER = 20;

export interface NewPasskey {
  userId: string;
  /** The authenticator's id of the key, base64url. */
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  backedUp: boolean;
  name: string;
}

export type AddPasskeyResult =
  | { status: "added" }
  | { status: "known_already" }
  | { status: "too_many" };

/** Adds a passkey and tells the owner by mail. The unique key on its id decides. */
export function addPasskey(passkey: NewPasskey, db: Database = getDb()): Promise<AddPasskeyResult> {
  const { userId, name } = passkey;
  // Read committed: the account's lock comes first.
  return db.$transaction(async (transaction) => {
    await lockAccount(userId, transaction);
    const count = await transaction.passkey.count({ where: { userId } });
    if (count >= PASSKEYS_PER_USER) return { status: "too_many" };
    const added = await transaction.passkey.createMany({ data: [passkey], skipDuplicates: true });
    if (added.count === 0) return { status: "known_already" };
    await noteFactorChange({ userId, name, change: "passkey_added" }, transaction);
    return { status: "added" };
  });
}

export interface OwnPasskey {
  id: string;
  name: string;
  /** Whether it is copied to the person's other devices. */
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The user's passkeys, oldest first. */
export function listPasskeys(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnPasskey[]> {
  return db.passkey.findMany({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, backedUp: true, createdAt: true, lastUsedAt: true },
  });
}

/** The data by which a browser recognises the user's passkeys. */
export function listCredentials(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ credentialId: string; transports: string[] }[]> {
  return db.passkey.findMany({
    where: { userId },
    select: { credentialId: true, transports: true },
  });
}

/** The data needed to check a signature; null for an unknown passkey. */
export function findPasskey(
  credentialId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ id: string; userId: string; publicKey: Uint8Array<ArrayBuffer> } | null> {
  return db.passkey.findUnique({
    where: { credentialId },
    select: { id: true, userId: true, publicKey: true },
  });
}

/**
 * Notes a signature of the passkey. Returns false if its counter did not grow: the key may have been
 * copied. A counter that stays 0 belongs to an authenticator that keeps none. The conditional write
 * decides, also between two uses at once.
 */
export async function notePasskeyUse(
  { id, counter, backedUp }: { id: string; counter: number; backedUp: boolean },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const used = await db.$executeRaw`
    UPDATE passkeys SET counter = ${counter}, backed_up = ${backedUp}, last_used_at = now()
    WHERE id = ${id}::uuid AND (counter < ${counter}::bigint OR (counter = 0 AND ${counter}::bigint = 0))`;
  return used === 1;
}

/** Renames one of the user's passkeys. Returns false for somebody else's. */
export async function renamePasskey(
  { userId, passkeyId, name }: { userId: string; passkeyId: string; name: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  if (!isUuid(passkeyId)) return false;
  const { count } = await db.passkey.updateMany({
    where: { id: passkeyId, userId },
    data: { name },
  });
  return count === 1;
}

export type RemovePasskeyResult =
  | { status: "removed" }
  | { status: "not_found" }
  /** The account has no password, no provider and no other passkey. */
  | { status: "last_way_in" };

/**
 * Removes one of the user's passkeys and tells them by mail, unless nobody could sign in without it.
 * `enabled` are the providers that people can sign in with now.
 */
export function removePasskey(
  { userId, passkeyId, enabled }: { userId: string; passkeyId: string; enabled: string[] },
  db: Database = getDb(),
): Promise<RemovePasskeyResult> {
  // Read committed: changes of one account's sign-in methods take turns at its lock, so two removals at once
  // cannot both see the other one's passkey.
  return db.$transaction(async (transaction) => {
    const { hasPassword, providers, passkeys } = await lockSignInMethods(userId, transaction);
    const where = { id: passkeyId, userId };
    const passkey = isUuid(passkeyId)
      ? await transaction.passkey.findUnique({ where, select: { name: true } })
      : null;
    if (!passkey) return { status: "not_found" };
    const others = providers.some((provider) => enabled.includes(provider));
    if (!hasPassword && !others && passkeys === 1) return { status: "last_way_in" };
    await transaction.passkey.delete({ where, select: { id: true } });
    await noteFactorChange({ userId, name: passkey.name, change: "passkey_removed" }, transaction);
    return { status: "removed" };
  });
}
