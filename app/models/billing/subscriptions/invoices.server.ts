import type { Transaction } from "~/db.server";
import { PAYMENT_PROVIDERS, type PaymentProviderName } from "~/env/payments";
import type { Subscription } from "~/generated/prisma/client";
import { queuePaymentReceipt, queueSubscriptionNews } from "~/models/billing/billing-emails.server";
import { listOrphanPayments } from "~/models/billing/orphan-payments.server";
import { linkPayment, type NewPeriod } from "~/models/billing/periods/note-period.server";
import { monthlyCredits } from "~/models/billing/periods/periods.server";
import { applyReturnsOf } from "~/models/billing/returns/kept-returns.server";
import { lockPaidBy, releaseForeignReturns } from "~/models/billing/returns/release-returns.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import { notePaidPeriod } from "~/models/billing/subscriptions/paid-periods.server";
import { findStatusTime } from "~/models/billing/subscriptions/status-after";
import {
  describePlanMismatch,
  ensureSubscription,
  findPlanByPrice,
} from "~/models/billing/subscriptions/subscriptions.server";
import { keepUnsoldLines } from "~/models/billing/subscriptions/unsold-lines.server";
import type {
  InvoiceFailed,
  InvoiceLinked,
  InvoicePaid,
  UnsoldLine,
} from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Records the period that a paid invoice covers. It grants nothing: the daily job, maintenance or a
 * spend that falls short issues what is due. The plan of the period is the one whose price was paid. What
 * isn't a plan's price begins, extends and ends nothing: it is kept in `unsold_lines`.
 */
export async function applyInvoicePaid(
  { provider, event }: { provider: PaymentProviderName; event: InvoicePaid },
  transaction: Transaction,
): Promise<void> {
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row) return;
  await keepUnsoldLines({ provider, event, lines: event.unsold }, transaction);
  if (event.covers === "nothing") return;
  const sale = await findSale(row, { provider, event }, transaction);
  if (!sale) {
    const lines = [wholeLine(row, event)];
    return keepUnsoldLines({ provider, event, lines }, transaction);
  }
  const { invoiceId, payments, amount, currency, paidAt, replacesEarlier } = event;
  await notePaidPeriod(
    {
      subscriptionId: row.id,
      ...sale,
      paidAt,
      replacesEarlier,
      payment: invoiceId ? { id: invoiceId, payments, amount, currency } : null,
    },
    transaction,
  );
  await queuePaymentReceipt(row, invoiceId, transaction);
  const named = [invoiceId, ...event.payments.map(({ id }) => id)].filter((id) => id !== null);
  const linked = invoiceId ? await listLinked({ provider, invoiceId }, transaction) : [];
  const paymentIds = [...new Set([...named, ...linked])];
  if (invoiceId) await releaseForeignReturns({ provider, invoiceId }, transaction);
  await applyReturnsOf({ provider, paymentIds }, transaction);
  await settleSubscription(row.id, transaction);
  if (invoiceId) await reportOrphan({ provider, invoiceId, row }, transaction);
}

/** The payments that are known to have paid an invoice, by this event or by one that came before it. */
async function listLinked(
  { provider, invoiceId }: { provider: PaymentProviderName; invoiceId: string },
  transaction: Transaction,
): Promise<string[]> {
  const links = await transaction.invoicePayment.findMany({
    where: { provider, providerPaymentId: invoiceId },
    select: { providerIntentId: true },
  });
  return links.map(({ providerIntentId }) => providerIntentId);
}

/** Tells the operator of a payment that came after its account was deleted. */
async function reportOrphan(
  {
    provider,
    invoiceId,
    row,
  }: { provider: PaymentProviderName; invoiceId: string; row: Subscription },
  transaction: Transaction,
): Promise<void> {
  const orphans = await listOrphanPayments({ provider, paymentId: invoiceId }, transaction);
  for (const { paymentId } of orphans)
    log().error(
      { provider, paymentId, subscriptionId: row.id },
      "a deleted account's plan was paid and granted nothing: refund it at the provider",
    );
}

/**
 * Finds the plan and the time that were sold. Null if it is no sale of a plan. Throws if the event doesn't say the
 * time, and the subscription's own event is still to come.
 */
async function findSale(
  row: Subscription,
  { provider, event }: { provider: PaymentProviderName; event: InvoicePaid },
  transaction: Transaction,
): Promise<Pick<NewPeriod, "kind" | "startsAt" | "endsAt" | "planKey" | "period"> | null> {
  const span = readSpan(row, event);
  if (event.covers === "hidden" && !span) throw withoutPeriod(event);
  const plan = findPaidPlan(row, { provider, event });
  if (!plan) return null;
  if (!span) throw withoutPeriod(event);
  const { planKey, period } = plan;
  const { startsAt, endsAt } = span;
  if (startsAt >= endsAt) return null;
  const upgradedAt = await findUpgrade(
    { provider, subscriptionId: row.id, startsAt, endsAt, planKey, event },
    transaction,
  );
  if (upgradedAt) return { kind: "upgrade", startsAt: upgradedAt, endsAt, planKey, period };
  const { priceId, listed, covers } = event;
  if (priceId !== null && describePlanMismatch({ provider, priceId }, listed)) return null;
  const kind = covers === "upgrade" || covers === "trial" ? covers : "paid";
  return { kind, startsAt, endsAt, planKey, period };
}

/**
 * The plan whose price was paid; null for any other price. An event that names no price is about the
 * subscription's own one. A row from before prices were stored has none: its plan was a catalog price's.
 */
function findPaidPlan(
  row: Subscription,
  {
    provider,
    event: { priceId, invoiceId },
  }: { provider: PaymentProviderName; event: InvoicePaid },
): { planKey: string; period: string } | null {
  const known = priceId ?? row.providerPriceId;
  if (known !== null) return findPlanByPrice({ provider, priceId: known });
  if (row.providerEventAt === null)
    throw new Error(`invoice ${invoiceId}: nothing says yet which price it is paid at`);
  return row;
}

/** The invoice as one unsold line. */
function wholeLine(
  { providerPriceId }: Subscription,
  { priceId, amount, currency, periodStart, periodEnd }: InvoicePaid,
): UnsoldLine {
  return {
    lineId: "period",
    priceId: priceId ?? providerPriceId,
    amount,
    currency,
    startsAt: periodStart,
    endsAt: periodEnd,
  };
}

/**
 * Some providers' events name the whole period even for an upgrade within it. Returns when a second payment of one
 * period was made, in a dearer plan: it is such an upgrade, and counts from then on. Null for any other
 * payment.
 */
async function findUpgrade(
  {
    provider,
    subscriptionId,
    startsAt,
    endsAt,
    planKey,
    event: { covers, paidAt, invoiceId },
  }: {
    provider: PaymentProviderName;
    subscriptionId: string;
    startsAt: Date;
    endsAt: Date;
    planKey: string;
    event: InvoicePaid;
  },
  transaction: Transaction,
): Promise<Date | null> {
  if (!PAYMENT_PROVIDERS[provider].upgradeNamesWholePeriod) return null;
  if (covers !== "period" || !paidAt || paidAt <= startsAt || paidAt >= endsAt) return null;
  const earlier = await transaction.subscriptionPeriod.findMany({
    where: {
      subscriptionId,
      startsAt,
      OR: [{ providerPaymentId: null }, { providerPaymentId: { not: invoiceId } }],
    },
    select: { planKey: true },
  });
  const isDearer = earlier.some((other) => monthlyCredits(other.planKey) < monthlyCredits(planKey));
  return isDearer ? paidAt : null;
}

/**
 * A failed renewal: the subscription waits for its payment. Its own event says so too; an older failure
 * told of late changes nothing, and neither does that of an invoice within a period, or of one that was
 * paid since.
 */
export async function applyInvoiceFailed(
  { provider, event }: { provider: PaymentProviderName; event: InvoiceFailed },
  transaction: Transaction,
): Promise<void> {
  log().info({ provider, invoiceId: event.invoiceId }, "a subscription's invoice is unpaid");
  if (!event.isRenewal) return;
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row || (await isPaid({ provider, invoiceId: event.invoiceId }, transaction))) return;
  const statedAt = findStatusTime(row);
  if (row.status !== "active" && row.status !== "trialing") return;
  if (statedAt && event.occurredAt < statedAt) return;
  await transaction.subscription.update({
    where: { id: row.id },
    data: { status: "past_due" },
    select: { id: true },
  });
  const { cancelAtPeriodEnd, currentPeriodEnd } = row;
  const { occurredAt } = event;
  await queueSubscriptionNews(
    row,
    { status: "past_due", cancelAtPeriodEnd, currentPeriodEnd, occurredAt },
    transaction,
  );
}

async function isPaid(
  { provider, invoiceId }: { provider: PaymentProviderName; invoiceId: string | null },
  transaction: Transaction,
): Promise<boolean> {
  if (!invoiceId) return false;
  const paid = { provider, providerPaymentId: invoiceId };
  return (await transaction.subscriptionPeriod.count({ where: paid })) > 0;
}

/**
 * Learns which payment intent paid an invoice, whichever of their events comes first. Returns of other
 * payments that were matched to its period by guess are kept again.
 */
export async function applyInvoiceLinked(
  { provider, event }: { provider: PaymentProviderName; event: InvoiceLinked },
  transaction: Transaction,
): Promise<void> {
  const { invoiceId, intentId, amount } = event;
  const subscriptionId = await lockPaidBy({ provider, invoiceId }, transaction);
  await linkPayment({ provider, invoiceId, paymentId: intentId, amount }, transaction);
  const released = await releaseForeignReturns({ provider, invoiceId }, transaction);
  await applyReturnsOf({ provider, paymentIds: [intentId] }, transaction);
  if (subscriptionId && released > 0) await settleSubscription(subscriptionId, transaction);
}

/** The time that is paid for; null if neither the event nor the subscription says it. */
function readSpan(
  { currentPeriodStart, currentPeriodEnd }: Subscription,
  { covers, periodStart, periodEnd, renewedAt }: InvoicePaid,
): { startsAt: Date; endsAt: Date } | null {
  const isCurrent =
    covers === "hidden" && renewedAt && renewedAt.getTime() === currentPeriodStart?.getTime();
  const [startsAt, endsAt] = isCurrent
    ? [currentPeriodStart, currentPeriodEnd]
    : [periodStart, periodEnd];
  return startsAt && endsAt ? { startsAt, endsAt } : null;
}

function withoutPeriod({ invoiceId }: InvoicePaid): Error {
  return new Error(`invoice ${invoiceId}: it doesn't say which period it pays for`);
}
