import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { OPEN_STATUSES } from "~/models/billing/top-ups/attempts.server";
import { runTopUp } from "~/models/billing/top-ups/run-top-up.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import type { KeptCards } from "~/services/payments/kept-cards";

/** Whether money may be taken for an attempt, or was taken and its credits haven't come yet. */
export async function hasOpenTopUp(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return (await db.topUp.count({ where: { accountId, status: { in: OPEN_STATUSES } } })) > 0;
}

/**
 * Ends the open attempt of an account that is about to be deleted, as far as the provider lets it: top-up is turned off, a payment
 * that waits is cancelled there, and one that nobody asked for yet never is. One that succeeded stays open until its event
 * has come.
 * @throws AppError 502 provider_error
 */
export async function endOpenTopUp(
  accountId: string,
  cards: KeptCards,
  db: Database = getDb(),
): Promise<void> {
  const open = await db.topUp.findFirst({
    where: { accountId, status: { in: OPEN_STATUSES } },
    select: { id: true },
  });
  if (!open) return;
  await db.$transaction((it) => turnOffTopUp({ accountId, reason: "owner" }, it));
  await runTopUp({ topUpId: open.id }, cards, db);
}
