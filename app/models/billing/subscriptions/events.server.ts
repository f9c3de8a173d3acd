import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { SoldPlan } from "~/env/prices";
import type { Subscription } from "~/generated/prisma/client";
import { queueSubscriptionNews } from "~/models/billing/billing-emails.server";
import { noteFirstPeriod } from "~/models/billing/periods/first-period.server";
import { tryGrants } from "~/models/billing/periods/grant-run.server";
import { refreshGrants } from "~/models/billing/periods/periods.server";
import { settleSubscription } from "~/models/billing/returns/settle-subscription.server";
import { isBeforeOwnWrite } from "~/models/billing/subscriptions/own-writes.server";
import { findStatusTime, isStated, statusAfter } from "~/models/billing/subscriptions/status-after";
import {
  checkCustomer,
  describePlanMismatch,
  ensureSubscription,
  findPlanByPrice,
} from "~/models/billing/subscriptions/subscriptions.server";
import type {
  CheckoutCompleted,
  SubscriptionChanged,
  SubscriptionStatus,
} from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

const NO_SCHEDULED_CHANGE = { scheduledPlanKey: null, scheduledPeriod: null };

/**
 * Records a completed checkout's subscription as `incomplete`. The checkout does not carry the period,
 * so the first credits come with the subscription's own event. A checkout without our metadata is not
 * ours and is ignored; one with our metadata throws if the catalog lacks its plan.
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
 * Applies a subscription's own event. `canceled` is final and always wins. Otherwise an event older
 * than the last one applied fills empty fields only, and one that isn't newer than our own last confirmed write leaves that write as it is.
 * Two facts are the newest ever told, whichever event came last: the status, and the period. If the subscription is now
 * running, its due grants are issued at once, including the first month. If an admin asked for its end at once, what is left of its
 * running month is taken back with it, whoever hears of it first.
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
  const plan = findPlanByPrice({ provider, priceId: event.priceId });
  if (row.status === "canceled") await fillGaps(row, event, transaction);
  else await overwrite(row, { event, plan }, transaction);
  await noteSoldFirstPeriod(row, { provider, event, plan }, transaction);
  await refreshGrants(row.id, transaction);
  await tryGrants(row.id, transaction);
  if (event.status === "canceled" && row.endAskedAt) await settleSubscription(row.id, transaction);
}

/** A price that sells no plan, or less than the plan's, brings no period. */
async function noteSoldFirstPeriod(
  { id: subscriptionId }: Subscription,
  {
    provider,
    event,
    plan,
  }: { provider: PaymentProviderName; event: SubscriptionChanged; plan: SoldPlan | null },
  transaction: Transaction,
): Promise<void> {
  const { priceId, listed } = event;
  const mismatch = describePlanMismatch({ provider, priceId }, listed);
  if (plan && !mismatch) return noteFirstPeriod({ subscriptionId, event, plan }, transaction);
  if (priceId !== null)
    log().warn(
      { provider, subscriptionId, priceId },
      `a subscription is no sale of a plan: ${mismatch}`,
    );
}

async function overwrite(
  row: Subscription,
  { event, plan }: { event: SubscriptionChanged; plan: SoldPlan | null },
  transaction: Transaction,
): Promise<void> {
  const { status, statedAt } = nextStatus(row, event);
  const { occurredAt } = event;
  const isOlder = row.providerEventAt !== null && event.occurredAt < row.providerEventAt;
  const providerEventAt = later(row.providerEventAt, occurredAt);
  const told = toldFuture(row, { event, plan, status });
  const isHeld = isOlder || isBeforeOwnWrite(event, row.ownWriteAt);
  const future = isHeld ? keepFuture(row, event, { told, isOlder }) : told;
  const [known, other] = [row.providerCustomerId, event.customerId];
  const providerCustomerId = isOlder ? (known ?? other) : (other ?? known);
  await checkNewCustomer(row, providerCustomerId, transaction);
  await transaction.subscription.update({
    where: { id: row.id },
    data: {
      status,
      statusEventAt: statedAt < providerEventAt ? statedAt : null,
      ...future,
      providerCustomerId,
      endedAt: event.endedAt,
      providerEventAt,
    },
    select: { id: true },
  });
  const { cancelAtPeriodEnd, currentPeriodEnd } = future;
  const now = { status, cancelAtPeriodEnd, currentPeriodEnd, occurredAt };
  await queueSubscriptionNews(row, now, transaction);
}

/** The plan, its period and its end as the event tells them. */
function toldFuture(
  row: Subscription,
  {
    event,
    plan,
    status,
  }: { event: SubscriptionChanged; plan: SoldPlan | null; status: SubscriptionStatus },
) {
  return {
    ...(plan && { planKey: plan.planKey, period: plan.period }),
    providerPriceId: event.priceId ?? row.providerPriceId,
    currentPeriodStart: event.currentPeriodStart ?? row.currentPeriodStart,
    currentPeriodEnd: event.currentPeriodEnd ?? row.currentPeriodEnd,
    cancelAtPeriodEnd: event.cancelAtPeriodEnd,
    ...(isChangeOver(row, { event, plan: plan ?? row, status }) ? NO_SCHEDULED_CHANGE : {}),
  };
}

/**
 * Keeps the outcome of a newer event or of our own newer write. A period that has begun since is as told: a renewal may come in the second of our
 * write, with its plan, and a newer event may have named no period. An end for good isn't undone either.
 */
function keepFuture(
  row: Subscription,
  { status, currentPeriodStart: startsAt }: SubscriptionChanged,
  { told, isOlder }: { told: ReturnType<typeof toldFuture>; isOlder: boolean },
) {
  if (status === "canceled") return told;
  const { cancelAtPeriodEnd, currentPeriodStart } = row;
  const isNewPeriod = startsAt && currentPeriodStart && startsAt > currentPeriodStart;
  if (isNewPeriod && !isOlder) return { ...told, cancelAtPeriodEnd };
  return {
    cancelAtPeriodEnd,
    currentPeriodStart: isNewPeriod ? startsAt : (currentPeriodStart ?? startsAt),
    currentPeriodEnd: isNewPeriod
      ? told.currentPeriodEnd
      : (row.currentPeriodEnd ?? told.currentPeriodEnd),
    providerPriceId: row.providerPriceId ?? told.providerPriceId,
  };
}

/** Whether no change of plan is planned any more: it was dropped, it has come, or the end comes first. */
function isChangeOver(
  { scheduledPlanKey, scheduledPeriod }: Subscription,
  {
    event,
    plan,
    status,
  }: {
    event: SubscriptionChanged;
    plan: Pick<Subscription, "planKey" | "period">;
    status: SubscriptionStatus;
  },
): boolean {
  const hasCome = plan.planKey === scheduledPlanKey && plan.period === scheduledPeriod;
  return !event.hasSchedule || event.cancelAtPeriodEnd || hasCome || status === "canceled";
}

/** A late event changes nothing but may fill empty fields. */
async function fillGaps(
  row: Subscription,
  known: Partial<
    Pick<SubscriptionChanged, "customerId" | "priceId" | "currentPeriodStart" | "currentPeriodEnd">
  >,
  transaction: Transaction,
): Promise<void> {
  if (row.providerCustomerId === null) await checkNewCustomer(row, known.customerId, transaction);
  await transaction.subscription.update({
    where: { id: row.id },
    data: {
      providerCustomerId: row.providerCustomerId ?? known.customerId,
      providerPriceId: row.providerPriceId ?? known.priceId,
      currentPeriodStart: row.currentPeriodStart ?? known.currentPeriodStart,
      currentPeriodEnd: row.currentPeriodEnd ?? known.currentPeriodEnd,
    },
    select: { id: true },
  });
}

/** Checks each customer once instead of with every event. */
async function checkNewCustomer(
  row: Subscription,
  customerId: string | null | undefined,
  transaction: Transaction,
): Promise<void> {
  if (customerId && customerId !== row.providerCustomerId)
    await checkCustomer(row, customerId, transaction);
}

/** The status, and when it was stated. If an event states none, what an earlier one states may still come after it. */
function nextStatus(
  row: Subscription,
  { status: told, occurredAt }: SubscriptionChanged,
): { status: SubscriptionStatus; statedAt: Date } {
  const statedAt = findStatusTime(row) ?? BEFORE_ALL;
  const status = statusAfter(row.status, told);
  if (!isStated(told)) return { status, statedAt };
  // The end wins, however late it is told.
  if (told !== "canceled" && occurredAt < statedAt) return { status: row.status, statedAt };
  return { status, statedAt: occurredAt };
}

const BEFORE_ALL = new Date(0);

function later(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}
