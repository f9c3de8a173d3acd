import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Subscription } from "~/generated/prisma/client";
import { queuePaymentReceipt, queueSubscriptionNews } from "~/models/billing/billing-emails.server";
import { notePeriod, refreshGrants } from "~/models/billing/periods/periods.server";
import { applyKeptReturns } from "~/models/billing/returns/returns.server";
import {
  ensureSubscription,
  findPlanByPrice,
} from "~/models/billing/subscriptions/subscriptions.server";
import type { InvoiceFailed, InvoiceLinked, InvoicePaid } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Records the period that a paid invoice covers. It grants nothing: the daily job, maintenance or a
 * spend that falls short issues what is due. The plan of the period is the one that was paid for; a
 * price that the catalog doesn't have keeps the subscription's plan.
 */
export async function applyInvoicePaid(
  { provider, event }: { provider: PaymentProviderName; event: InvoicePaid },
  transaction: Transaction,
): Promise<void> {
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row || event.covers === "nothing") return;
  const { endsAt, ...paid } = requirePeriod(row, event);
  const { planKey, period } = findPlanByPrice({ provider, priceId: event.priceId }) ?? row;
  const { invoiceId, intentId, amount, currency } = event;
  const upgradedAt = await findUpgrade(
    { subscriptionId: row.id, startsAt: paid.startsAt, endsAt, planKey, event },
    transaction,
  );
  const startsAt = upgradedAt ?? paid.startsAt;
  const covers = upgradedAt ? "upgrade" : event.covers;
  await notePeriod(
    {
      subscriptionId: row.id,
      kind: covers === "upgrade" || covers === "trial" ? covers : "paid",
      startsAt,
      endsAt,
      planKey,
      period,
      payment: invoiceId ? { id: invoiceId, intentId, amount, currency } : null,
    },
    transaction,
  );
  await refreshGrants([row.id], transaction);
  await queuePaymentReceipt(row, invoiceId, transaction);
  await applyKeptReturns(
    {
      provider,
      paymentId: intentId,
      transactionId: invoiceId,
      subscriptionId: row.providerSubscriptionId,
      customerId: row.providerCustomerId,
    },
    transaction,
  );
}

/**
 * Returns when a second payment of one period was made, in another plan: it is an upgrade within that
 * period, and counts from then on. Null for any other payment.
 */
async function findUpgrade(
  {
    subscriptionId,
    startsAt,
    endsAt,
    planKey,
    event: { covers, paidAt, invoiceId },
  }: {
    subscriptionId: string;
    startsAt: Date;
    endsAt: Date;
    planKey: string;
    event: InvoicePaid;
  },
  transaction: Transaction,
): Promise<Date | null> {
  if (covers !== "period" || !paidAt || paidAt <= startsAt || paidAt >= endsAt) return null;
  const earlier = await transaction.subscriptionPeriod.count({
    where: {
      subscriptionId,
      startsAt,
      planKey: { not: planKey },
      OR: [{ providerPaymentId: null }, { providerPaymentId: { not: invoiceId } }],
    },
  });
  return earlier > 0 ? paidAt : null;
}

/**
 * A failed renewal: the subscription waits for its payment. Its own event says so too; an older failure
 * told of late changes nothing, and neither does that of an invoice within a period.
 */
export async function applyInvoiceFailed(
  { provider, event }: { provider: PaymentProviderName; event: InvoiceFailed },
  transaction: Transaction,
): Promise<void> {
  log().info({ provider, invoiceId: event.invoiceId }, "a subscription's invoice is unpaid");
  if (!event.isRenewal) return;
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row) return;
  const { count } = await transaction.subscription.updateMany({
    where: {
      id: row.id,
      status: { in: ["active", "trialing"] },
      OR: [{ providerEventAt: null }, { providerEventAt: { lte: event.occurredAt } }],
    },
    data: { status: "past_due" },
  });
  if (count === 0) return;
  const { cancelAtPeriodEnd } = row;
  const { occurredAt } = event;
  await queueSubscriptionNews(
    row,
    { status: "past_due", cancelAtPeriodEnd, occurredAt },
    transaction,
  );
}

/** Learns which payment intent paid an invoice, whichever of their events comes first. */
export async function applyInvoiceLinked(
  { provider, event }: { provider: PaymentProviderName; event: InvoiceLinked },
  transaction: Transaction,
): Promise<void> {
  const { invoiceId, intentId } = event;
  await transaction.invoicePayment.createMany({
    data: [{ provider, providerIntentId: intentId, providerPaymentId: invoiceId }],
    skipDuplicates: true,
  });
  await applyKeptReturns({ provider, paymentId: intentId }, transaction);
}

/** Throws if the event doesn't say the period, and the subscription's own event is still to come. */
function requirePeriod(
  { currentPeriodStart, currentPeriodEnd }: Subscription,
  { covers, periodStart, periodEnd, renewedAt, invoiceId }: InvoicePaid,
): { startsAt: Date; endsAt: Date } {
  const isCurrent =
    covers === "hidden" && renewedAt && renewedAt.getTime() === currentPeriodStart?.getTime();
  const [startsAt, endsAt] = isCurrent
    ? [currentPeriodStart, currentPeriodEnd]
    : [periodStart, periodEnd];
  if (startsAt && endsAt) return { startsAt, endsAt };
  throw new Error(`invoice ${invoiceId}: it doesn't say which period it pays for`);
}
