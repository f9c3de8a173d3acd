import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Subscription } from "~/generated/prisma/client";
import { issueDueGrants } from "~/models/billing/subscription-grants.server";
import { startGrants } from "~/models/billing/subscription-periods.server";
import {
  checkCustomer,
  ensureSubscription,
  findPlanByPrice,
} from "~/models/billing/subscriptions.server";
import type {
  CheckoutCompleted,
  SubscriptionChanged,
  SubscriptionStatus,
} from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Notes the subscription that a completed checkout made, as `incomplete`: the checkout says nothing
 * of its period, so that its first credits come with its own event. A checkout without our metadata
 * is not ours; one with it and a plan that the catalog lacks throws.
 */
export async function recordSubscriptionCheckout(
  { provider, event }: { provider: PaymentProviderName; event: CheckoutCompleted },
  transaction: Transaction,
): Promise<void> {
  const { metadata, customerId, subscriptionId, checkoutId } = event;
  if (!metadata) return;
  if (!subscriptionId) throw new Error(`checkout ${checkoutId}: it names no subscription`);
  const row = await ensureSubscription(
    { provider, providerSubscriptionId: subscriptionId, customerId, metadata, priceId: null },
    transaction,
  );
  if (row) await fillGaps(row, { customerId }, transaction);
}

/**
 * Applies what a subscription's own event says. `canceled` is terminal and always wins; otherwise an
 * event older than one that was applied overwrites nothing, and only fills what is not known yet. A
 * subscription that it shows running gets what is due, its first month included, at once.
 */
export async function applySubscriptionEvent(
  { provider, event }: { provider: PaymentProviderName; event: SubscriptionChanged },
  transaction: Transaction,
): Promise<void> {
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row) return;
  if (event.status === "unknown") {
    log().error({ provider, subscriptionId: row.id }, "a subscription has a status unknown here");
  }
  const canceled = event.status === "canceled";
  const older = row.providerEventAt !== null && event.occurredAt < row.providerEventAt;
  if (row.status === "canceled" || (older && !canceled)) {
    await fillGaps(row, event, transaction);
  } else {
    await overwrite(row, { provider, event }, transaction);
  }
  if (await startGrants(row.id, transaction)) await issueDueGrants([row.id], transaction);
}

async function overwrite(
  row: Subscription,
  { provider, event }: { provider: PaymentProviderName; event: SubscriptionChanged },
  transaction: Transaction,
): Promise<void> {
  const status = nextStatus(row, event);
  const plan = findPlanByPrice({ provider, priceId: event.priceId });
  // A change of plan counts from the next boundary on: what is due before it is the old plan's.
  if (plan && plan.planKey !== row.planKey && status !== "canceled") {
    await issueDueGrants([row.id], transaction);
  }
  await checkNewCustomer(row, event.customerId, transaction);
  await transaction.subscription.update({
    where: { id: row.id },
    data: {
      status,
      ...plan,
      providerCustomerId: event.customerId ?? row.providerCustomerId,
      currentPeriodStart: event.currentPeriodStart ?? row.currentPeriodStart,
      currentPeriodEnd: event.currentPeriodEnd ?? row.currentPeriodEnd,
      cancelAtPeriodEnd: event.cancelAtPeriodEnd,
      endedAt: event.endedAt,
      providerEventAt: later(row.providerEventAt, event.occurredAt),
    },
    select: { id: true },
  });
}

/** What an event that is too late to change anything may still tell. */
async function fillGaps(
  row: Subscription,
  known: Partial<
    Pick<SubscriptionChanged, "customerId" | "currentPeriodStart" | "currentPeriodEnd">
  >,
  transaction: Transaction,
): Promise<void> {
  if (row.providerCustomerId === null) await checkNewCustomer(row, known.customerId, transaction);
  await transaction.subscription.update({
    where: { id: row.id },
    data: {
      providerCustomerId: row.providerCustomerId ?? known.customerId,
      currentPeriodStart: row.currentPeriodStart ?? known.currentPeriodStart,
      currentPeriodEnd: row.currentPeriodEnd ?? known.currentPeriodEnd,
    },
    select: { id: true },
  });
}

/** Once for each customer, rather than with each event. */
async function checkNewCustomer(
  row: Subscription,
  customerId: string | null | undefined,
  transaction: Transaction,
): Promise<void> {
  if (customerId && customerId !== row.providerCustomerId)
    await checkCustomer(row, customerId, transaction);
}

/** Providers count whole seconds, so that the first, incomplete state may come last at an equal time. */
function nextStatus(row: Subscription, { status }: SubscriptionChanged): SubscriptionStatus {
  // Heard of first by an event that states none: a cancellation is scheduled for what is running.
  if (status === null) return row.providerEventAt === null ? "active" : row.status;
  return status === "incomplete" && row.providerEventAt !== null ? row.status : status;
}

function later(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}
