import { findPack } from "~/catalog";
import {
  type Comparison,
  hasUser,
  isForeign,
  isWanted,
  UNKNOWN_USER,
} from "~/models/billing/reconciliation/comparison.server";
import {
  type Difference,
  forOperator,
  repairable,
} from "~/models/billing/reconciliation/difference";
import type { TopUpPaid } from "~/services/payments/billing-event";
import { topUpCheckoutId } from "~/services/payments/top-up-checkout";
import { formatAmount } from "~/utils/money";

/**
 * Since when payments with kept cards are compared: attempts that are still open are, whatever their age. They may be from before top-up
 * was switched off.
 */
export async function findTopUps({
  db,
  userId,
  since,
}: Comparison): Promise<{ since: Date; isUsed: boolean }> {
  const [found] = await db.$queryRaw<{ first: Date | null }[]>`
    SELECT min(asked_at) AS first FROM top_ups
    WHERE (asked_at >= ${since}::timestamptz OR status IN ('asked', 'unknown'))
      AND account_id = coalesce(${userId}::uuid, account_id)`;
  const first = found?.first ?? null;
  return {
    since: first && first < since ? new Date(first.getTime() - CLOCK_TOLERANCE) : since,
    isUsed: first !== null,
  };
}

/** Milliseconds by which this machine's clock may be ahead of the provider's. */
const CLOCK_TOLERANCE = 300_000;

/** Compares a payment with a kept card with its order, which the webhook makes. */
export async function compareTopUp(
  event: TopUpPaid,
  comparison: Comparison,
): Promise<Difference[]> {
  const { metadata, topUpId, paymentId } = event;
  if (!isWanted(comparison, metadata.userId)) return [];
  if (await isForeign(comparison, metadata)) return [];
  const { db, records } = comparison;
  const provider = records.name;
  const providerCheckoutId = topUpCheckoutId(topUpId);
  const order = await db.order.findUnique({
    where: { provider_providerCheckoutId: { provider, providerCheckoutId } },
    select: { providerPaymentId: true },
  });
  const earlier = order?.providerPaymentId ?? paymentId;
  if (order && earlier === paymentId) return [];
  const topUp = await db.topUp.findUnique({ where: { id: topUpId }, select: { credits: true } });
  const credits = topUp?.credits ?? findPack(metadata.skuKey ?? "")?.credits ?? null;
  const sold = `${credits ?? "unknown"} credits for ${formatAmount(event)}`;
  const found = {
    provider,
    object: `top-up ${paymentId}`,
    userId: metadata.userId,
    says: `${sold}: paid there, ${order ? `and by ${earlier} before` : "no order here"}`,
  };
  if (order)
    return [forOperator(found, "one top-up was charged twice: refund this payment there, once")];
  if (credits === null)
    return [forOperator(found, `the catalog has no pack ${metadata.skuKey}: put it back`)];
  if (!(await hasUser(comparison, metadata.userId))) return [forOperator(found, UNKNOWN_USER)];
  return [repairable(found, "record the order and grant its credits", [event])];
}
