import { findPack } from "~/catalog";
import { listUnfinishedCheckouts } from "~/models/billing/checkouts/started-checkouts.server";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
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
import { type CheckoutCompleted, isSettled } from "~/services/payments/billing-event";
import type { UnresolvedPayment } from "~/services/payments/billing-records.server";
import { formatAmount } from "~/utils/money";

/**
 * Compares a completed checkout of a pack with its order. A plan's checkout is compared as a
 * subscription.
 */
export async function compareCheckout(
  event: CheckoutCompleted,
  comparison: Comparison,
): Promise<Difference[]> {
  const { metadata, checkoutId } = event;
  if (event.mode !== "payment" || !metadata || !isWanted(comparison, metadata.userId)) return [];
  if (await isForeign(comparison, metadata)) return [];
  const provider = comparison.records.name;
  const order = await comparison.db.order.findUnique({
    where: { provider_providerCheckoutId: { provider, providerCheckoutId: checkoutId } },
    select: { status: true },
  });
  const isPaid = isSettled(event);
  if (order && (order.status !== "pending" || !isPaid)) return [];
  const pack = findPack(metadata.skuKey ?? "");
  const what = `${pack?.credits ?? "unknown"} credits for ${formatAmount(event)}`;
  const found = {
    provider,
    object: `checkout ${checkoutId}`,
    userId: metadata.userId,
    says: order
      ? `${what}: paid there, pending here`
      : `${what}: ${isPaid ? "paid" : "not paid"} there, no order here`,
  };
  if (!pack) return [forOperator(found, `the catalog has no pack ${metadata.skuKey}: put it back`)];
  const mismatch = describePackMismatch(provider, event, pack);
  if (mismatch) return [forOperator(found, `${mismatch}: docs/payments.md says what to do`)];
  if (!(await hasUser(comparison, metadata.userId))) return [forOperator(found, UNKNOWN_USER)];
  const does = isPaid ? "record the order and grant its credits" : "record the order as pending";
  return [repairable(found, does, [event])];
}

/** Milliseconds a checkout can stay open before it is paid. */
const CHECKOUT_LIFE = 24 * 60 * 60 * 1000;
/** Maximum number of checkouts to fetch when looking for a payment's checkout. */
const MOST_CANDIDATES = 500;

/**
 * Compares a payment that names no checkout with the orders. If no order has it, fetches the checkouts
 * started here in the day before it and compares the one it paid.
 */
export async function comparePayment(
  payment: UnresolvedPayment,
  comparison: Comparison,
): Promise<Difference[]> {
  const { db, records } = comparison;
  const { paymentId: providerPaymentId, createdAt } = payment;
  const order = { provider: records.name, providerPaymentId };
  if ((await db.order.count({ where: order })) > 0) return [];
  const candidates = await listUnfinishedCheckouts(
    {
      provider: records.name,
      from: new Date(createdAt.getTime() - CHECKOUT_LIFE),
      // Clocks differ; no checkout is paid before it starts.
      to: new Date(createdAt.getTime() + 60_000),
      limit: MOST_CANDIDATES,
    },
    db,
  );
  for (const id of candidates) {
    const checkout = await records.findCheckout(id);
    if (checkout?.kind === "checkout_completed" && checkout.paymentId === providerPaymentId)
      return compareCheckout(checkout, comparison);
  }
  // Its user is unknown.
  if (comparison.userId !== null) return [];
  const found = {
    provider: records.name,
    object: `payment ${providerPaymentId}`,
    userId: null,
    says: `${formatAmount(payment)} on ${createdAt.toISOString()} for a pack: no order here`,
  };
  return [
    forOperator(
      found,
      "its checkout is not known any more: find its id (ch_…) in the dashboard or in the site's access log, and give it with --checkout. If another installation shares the account, the payment may be for it",
    ),
  ];
}
