import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import {
  listRunningSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscription-management.server";
import { createToken } from "~/utils/token.server";

/** What is left of whoever deleted their account has an address that no mail can reach (RFC 2606). */
const TOMBSTONE_DOMAIN = "deleted.invalid";

/** The subscriptions that would go on being charged: running, and not cancelled. */
export async function listRenewingSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const running = await listRunningSubscriptions(userId, db);
  return running.filter(({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd);
}

export type DeletionResult =
  | { status: "deleted" }
  /** A subscription would go on being charged. */
  | { status: "plan_running" }
  /** Images that are paid for are being made; they would become files of nobody's. */
  | { status: "generation_running" }
  /** The password is no longer the one that was checked. */
  | { status: "changed_meanwhile" };

/**
 * Takes the person out of their account, for good: address, name, password, sessions, sign-in
 * providers, links, files and prompts. The row stays, under a random address, since the ledger, orders
 * and subscriptions hang on it. Files are hidden at once; maintenance removes them from the store.
 */
export function deleteAccount(
  { userId, checkedHash }: { userId: string; checkedHash: string | null },
  db: Database = getDb(),
): Promise<DeletionResult> {
  // Read committed: the lock on the account comes first. Whatever would add a row to it meanwhile (a
  // file, a charge, a webhook's subscription) waits for this, or was committed and is seen below.
  return db.$transaction(async (transaction) => {
    const [user] = await transaction.$queryRaw<{ id: string }[]>`
      SELECT id FROM users
      WHERE id = ${userId}::uuid AND password_hash IS NOT DISTINCT FROM ${checkedHash}
      FOR UPDATE`;
    if (!user) return { status: "changed_meanwhile" };
    if ((await listRenewingSubscriptions(userId, transaction)).length > 0)
      return { status: "plan_running" };
    const charged = await transaction.imageGeneration.count({
      where: { userId, status: "charged" },
    });
    if (charged > 0) return { status: "generation_running" };
    await removePerson(userId, transaction);
    return { status: "deleted" };
  });
}

async function removePerson(userId: string, transaction: Transaction): Promise<void> {
  const where = { userId };
  await transaction.session.deleteMany({ where });
  await transaction.oauthAccount.deleteMany({ where });
  await transaction.verificationToken.deleteMany({ where });
  await transaction.idempotencyKey.deleteMany({ where });
  // The key says where the object lies, so that it stays until the object is gone.
  await transaction.$executeRaw`
    UPDATE files SET deleted_at = coalesce(deleted_at, now()), filename = 'deleted'
    WHERE user_id = ${userId}::uuid`;
  // Rows that the ledger names; a hash of a prompt can be tried out, so it goes too.
  await transaction.imageGeneration.updateMany({
    where,
    data: { prompt: "", requestHash: "", idempotencyKey: null, images: [] },
  });
  await transaction.$executeRaw`
    UPDATE users SET email = ${`deleted-${createToken().toLowerCase()}@${TOMBSTONE_DOMAIN}`}, name = NULL,
      email_verified_at = NULL, password_hash = NULL, locale = 'en'
    WHERE id = ${userId}::uuid`;
}
