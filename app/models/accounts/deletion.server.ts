import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { DEFAULT_LOCALE } from "~/i18n/locale";
import { eraseApiKeys, revokeAllApiKeys } from "~/models/accounts/api-keys.server";
import { deleteFactors } from "~/models/accounts/factors.server";
import { markSignupCredits } from "~/models/accounts/signup-credits.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import {
  listOpenCheckouts,
  type OpenCheckout,
} from "~/models/billing/checkouts/open-checkouts.server";
import {
  listOpenSubscriptions,
  type OwnSubscription,
} from "~/models/billing/subscriptions/management.server";
import { hasOpenTopUp } from "~/models/billing/top-ups/open-top-ups.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { queueEmail, removeEmails } from "~/models/emails/outbox.server";
import { accountOf } from "~/models/metering/runs.server";
import { createToken } from "~/utils/token.server";
import { tombstoneAddress } from "~/utils/tombstone";

/** Subscriptions that may keep being charged, as far as we know: neither over nor cancelled. */
export async function listRenewingSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const open = await listOpenSubscriptions(userId, db);
  return open.filter(({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd);
}

export type DeletionResult =
  | { status: "deleted"; openCheckouts: OpenCheckout[] }
  /** A subscription may keep being charged: its provider has not confirmed that it ends. */
  | { status: "plan_running" }
  /** A run that was paid for goes on. Its result would belong to nobody. The API keys are revoked. */
  | { status: "generation_running" }
  /** A kept card is being charged: its credits would belong to nobody. The caller ends what can be ended first. */
  | { status: "top_up_running" }
  /** The password has changed since it was checked. */
  | { status: "changed_meanwhile" };

/**
 * Removes a person's data for good: address, name, password, second factors, sessions, sign-in
 * providers, links, files, and what actions were asked and made. The user's row stays as a tombstone under a random address, because the ledger, orders
 * and subscriptions refer to it. Files are hidden at once; maintenance removes their objects from the
 * store. If the account had its `SIGNUP_CREDITS`, a keyed hash of its address stays too, so that its
 * mailbox gets no second ones.
 *
 * `endingSubscriptions` are the ids of which the provider has just confirmed that they end. The caller
 * ends the open checkouts at their providers.
 */
export function deleteAccount(
  {
    userId,
    checkedHash,
    endingSubscriptions,
  }: { userId: string; checkedHash: string | null; endingSubscriptions: string[] },
  db: DatabaseOrTransaction = getDb(),
): Promise<DeletionResult> {
  // Read committed: the person's row is locked first. A transaction that adds a row to it (a file, a run, a webhook's
  // subscription) either waits for this one, or has committed and is seen below. A run that waited isn't made.
  return db.$transaction(async (transaction) => {
    const [user] = await transaction.$queryRaw<{ email: string }[]>`
      SELECT email FROM users
      WHERE id = ${userId}::uuid AND password_hash IS NOT DISTINCT FROM ${checkedHash}
      FOR UPDATE`;
    if (!user) return { status: "changed_meanwhile" };
    const open = await listOpenSubscriptions(userId, transaction);
    const isEnding = ({ id, cancelAtPeriodEnd }: OwnSubscription) =>
      cancelAtPeriodEnd && endingSubscriptions.includes(id);
    if (!open.every(isEnding)) return { status: "plan_running" };
    // This stays even if a run goes on: a program that always has one would put the deletion off for good.
    await revokeAllApiKeys(userId, transaction);
    const running = await transaction.meteredRun.count({
      where: { accountId: accountOf({ id: userId }), status: "reserved" },
    });
    if (running > 0) return { status: "generation_running" };
    if (await hasOpenTopUp(accountOf({ id: userId }), transaction))
      return { status: "top_up_running" };
    await markSignupCredits({ userId, email: user.email }, transaction);
    await removeEmails(userId, transaction);
    // To the address that is about to be forgotten; the email is removed once it was sent.
    const data = { at: new Date().toISOString() };
    const key = `account_deleted:${userId}`;
    await queueEmail({ kind: "account_deleted", userId, data, key }, transaction);
    // The rows that name them go with the person.
    const openCheckouts = await listOpenCheckouts(userId, transaction);
    await removePerson(userId, transaction);
    return { status: "deleted", openCheckouts };
  });
}

async function removePerson(userId: string, transaction: Transaction): Promise<void> {
  const where = { userId };
  const accountId = accountOf({ id: userId });
  await transaction.session.deleteMany({ where });
  await transaction.oauthAccount.deleteMany({ where });
  await transaction.verificationToken.deleteMany({ where });
  await deleteFactors(userId, transaction);
  await eraseApiKeys(userId, transaction);
  // Has the provider forget the kept card.
  await turnOffTopUp({ accountId, reason: "owner" }, transaction);
  await transaction.crossing.deleteMany({ where: { accountId } });
  await transaction.accountSettings.deleteMany({ where: { accountId } });
  await transaction.idempotencyKey.deleteMany({ where });
  // The row keeps its key until the sweep has removed the object.
  await transaction.$executeRaw`
    UPDATE files SET deleted_at = coalesce(deleted_at, now()), filename = 'deleted'
    WHERE user_id = ${userId}::uuid`;
  // The ledger refers to these rows, so they stay. A prompt could be guessed from its hash, so the
  // hash goes too.
  await transaction.meteredRun.updateMany({
    where: { accountId },
    data: { requestHash: "", idempotencyKey: null },
  });
  for (const { erase } of Object.values(ACTION_PARTS)) await erase(accountId, transaction);
  await transaction.user.updateMany({
    where: { id: userId },
    data: {
      email: tombstoneAddress(createToken()),
      name: null,
      emailVerifiedAt: null,
      passwordHash: null,
      locale: DEFAULT_LOCALE,
      supportUntil: null,
    },
  });
}
