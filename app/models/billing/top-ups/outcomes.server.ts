import { type Database, getDb, type Transaction } from "~/db.server";
import type { TopUp } from "~/generated/prisma/client";
import { lockTopUp } from "~/models/billing/top-ups/attempts.server";
import { endTopUp } from "~/models/billing/top-ups/ends.server";
import { turnOffTopUp } from "~/models/billing/top-ups/turn-off.server";
import { queueEmail } from "~/models/emails/outbox.server";
import type { ChargeOutcome } from "~/services/payments/kept-cards";
import { NEEDS_CUSTOMER } from "~/services/payments/kept-cards";
import { log } from "~/utils/logger.server";

/** A call got no answer that tells what became of it. */
export async function noteUnknown(topUpId: string, db: Database = getDb()): Promise<void> {
  await db.topUp.updateMany({
    where: { id: topUpId, status: "asked" },
    data: { status: "unknown" },
  });
}

/**
 * A payment that the bank wants the customer for is about to be cancelled at the provider: a cancelled one may not tell any more why it
 * failed, and this process may not live to write it.
 */
export async function noteNeedsCustomer(
  { topUpId, paymentId }: { topUpId: string; paymentId: string },
  db: Database = getDb(),
): Promise<void> {
  await db.topUp.updateMany({
    where: { id: topUpId, status: { in: ["asked", "unknown"] } },
    data: { providerPaymentId: paymentId, reason: NEEDS_CUSTOMER },
  });
}

/**
 * Writes what became of a payment, once: an attempt that is over stays as it is. One that succeeded stays open until its event
 * brings the credits.
 */
export async function noteOutcome(
  { topUpId, outcome }: { topUpId: string; outcome: ChargeOutcome },
  transaction: Transaction,
): Promise<void> {
  const topUp = await lockTopUp(topUpId, transaction);
  if (topUp?.status !== "asked" && topUp?.status !== "unknown") return;
  const { accountId, paymentMethodId: card } = topUp;
  switch (outcome.status) {
    case "succeeded":
    case "processing":
      await transaction.topUp.update({
        where: { id: topUpId },
        data: { status: "asked", providerPaymentId: outcome.paymentId, reason: null },
      });
      return;
    case "action_required":
      throw new Error(`top-up ${topUpId}: its payment has to be cancelled first`);
    case "declined": {
      const isSecond = await isSecondDecline(topUp, transaction);
      const kept = await transaction.accountSettings.count({
        where: { accountId, paymentMethodId: card },
      });
      if (isSecond) await turnOffTopUp({ accountId, reason: "declined" }, transaction);
      // An owner who has another card by now hears nothing of the old one.
      else if (kept > 0) await tellOwner("top_up_declined", topUp, transaction);
      await endTopUp(topUp, { ...outcome, reason: outcome.code }, transaction);
      return;
    }
    case "canceled": {
      const reason = topUp.reason ?? outcome.code ?? "canceled";
      if (reason === NEEDS_CUSTOMER) await tellOwner("top_up_action", topUp, transaction);
      await endTopUp(topUp, { ...outcome, reason }, transaction);
      return;
    }
    case "card_removed":
      await turnOffTopUp({ accountId, reason: "card_removed", card }, transaction);
      await endTopUp(topUp, { status: "canceled", reason: outcome.status }, transaction);
      return;
    case "refused":
      log().error({ topUpId, reason: outcome.reason }, "the provider refuses a top-up");
      await endTopUp(topUp, { status: "canceled", reason: outcome.status }, transaction);
  }
}

/** Whether the attempt before this one was declined, too, on the same terms: a new card, or the owner's word, begins anew. */
async function isSecondDecline({ id, accountId }: TopUp, transaction: Transaction) {
  const [before] = await transaction.$queryRaw<{ isDeclined: boolean }[]>`
    SELECT status = 'declined' AS "isDeclined"
    FROM top_ups JOIN account_settings settings USING (account_id)
    WHERE account_id = ${accountId}::uuid AND id <> ${id}::uuid AND status IN ('paid', 'declined')
      AND asked_at >= settings.agreed_at
    ORDER BY asked_at DESC LIMIT 1`;
  return before?.isDeclined === true;
}

/** Leads the owner to an ordinary checkout of the pack, with another card, or where their bank can ask them. */
const tellOwner = (
  kind: "top_up_declined" | "top_up_action",
  { id, accountId, skuKey }: TopUp,
  transaction: Transaction,
): Promise<void> =>
  queueEmail(
    { kind, userId: accountId, data: { skuKey, topUpId: id }, key: `${kind}:${id}` },
    transaction,
  );
