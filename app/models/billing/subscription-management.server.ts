import type { Period, PlanKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Prisma } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
import { isSharedCustomer, reportSharedCustomer } from "~/models/billing/provider-customers.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { log } from "~/utils/logger.server";
import { isUuid } from "~/utils/uuid";

/** A subscription as its owner sees it. */
export interface OwnSubscription {
  id: string;
  userId: string;
  provider: PaymentProviderName;
  providerCustomerId: string | null;
  providerSubscriptionId: string;
  planKey: PlanKey;
  period: Period;
  status: SubscriptionStatus;
  currentPeriodEnd: Date | null;
  paidUntil: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** The plan and period that begin when the current period ends; null if no change is planned. */
  scheduledPlanKey: PlanKey | null;
  scheduledPeriod: Period | null;
  /** The next monthly boundary; it is granted only if it is before `paidUntil`. */
  nextGrantAt: Date | null;
}

const SUBSCRIPTION = {
  id: true,
  userId: true,
  provider: true,
  providerCustomerId: true,
  providerSubscriptionId: true,
  planKey: true,
  period: true,
  status: true,
  currentPeriodEnd: true,
  paidUntil: true,
  cancelAtPeriodEnd: true,
  endedAt: true,
  scheduledPlanKey: true,
  scheduledPeriod: true,
  nextGrantAt: true,
} satisfies Prisma.SubscriptionSelect;

type SubscriptionRow = Prisma.SubscriptionGetPayload<{ select: typeof SUBSCRIPTION }>;

/** Provider, plan and period are text columns, written only from these types. */
const toSubscription = (row: SubscriptionRow) => row as OwnSubscription;

/** A user with a subscription in one of these states cannot subscribe again, and can cancel. */
const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];

const NEWEST_FIRST = [{ createdAt: "desc" }, { id: "desc" }] as const;

/** The user's running subscriptions, newest first. There can be two if two checkouts were paid. */
export async function listRunningSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const rows = await db.subscription.findMany({
    where: { userId, status: { in: RUNNING } },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  return rows.map(toSubscription);
}

/** The user's newest running subscription, or the one with this id; null if there is none. */
export async function getRunningSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
  subscriptionId?: string,
): Promise<OwnSubscription | null> {
  if (subscriptionId !== undefined && !isUuid(subscriptionId)) return null;
  const row = await db.subscription.findFirst({
    where: { userId, status: { in: RUNNING }, ...(subscriptionId ? { id: subscriptionId } : {}) },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  return row && toSubscription(row);
}

/** The user's newest subscription, including ended ones; null if there never was one. */
export async function getLatestSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription | null> {
  const row = await db.subscription.findFirst({
    where: { userId },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  return row && toSubscription(row);
}

export type CancellationResult =
  | {
      status: "scheduled";
      subscriptionId: string;
      subscriptionStatus: SubscriptionStatus;
      currentPeriodEnd: Date | null;
    }
  /** No subscription is running, or not this one, or its provider does not have it. */
  | { status: "not_found" };

/**
 * Schedules a running subscription to end with its period, at the provider it was bought from.
 * Repeating it changes nothing. The provider's own event confirms it later.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function cancelSubscription(
  { userId, subscriptionId }: { userId: string; subscriptionId?: string | undefined },
  providerOf: (name: PaymentProviderName) => PaymentProvider,
  db: DatabaseOrTransaction = getDb(),
): Promise<CancellationResult> {
  const subscription = await getRunningSubscription(userId, db, subscriptionId);
  if (!subscription) return { status: "not_found" };
  const { id, status, providerSubscriptionId } = subscription;
  let { currentPeriodEnd } = subscription;
  if (!subscription.cancelAtPeriodEnd) {
    const provider = providerOf(subscription.provider);
    const canceled = await provider.cancelAtPeriodEnd({ providerSubscriptionId });
    if (canceled.status === "not_found") {
      log().error(
        { provider: provider.name, subscriptionId: id },
        "the provider does not have a subscription that is stored as running",
      );
      return canceled;
    }
    currentPeriodEnd = canceled.currentPeriodEnd ?? currentPeriodEnd;
    await db.subscription.update({
      where: { id },
      data: { cancelAtPeriodEnd: true, currentPeriodEnd },
      select: { id: true },
    });
  }
  return { status: "scheduled", subscriptionId: id, subscriptionStatus: status, currentPeriodEnd };
}

export type PortalResult =
  | { status: "created"; url: string }
  /** No provider has a customer for the user. */
  | { status: "no_customer" }
  /** Another account has the same customer: the portal would show that person's cards and invoices. */
  | { status: "customer_conflict" };

/**
 * Opens the provider's page for managing cards, invoices and cancellation. Uses the provider of the
 * newest subscription, running or not.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function createPortal(
  { userId, returnUrl }: { userId: string; returnUrl: string },
  providerOf: (name: PaymentProviderName) => PaymentProvider,
  db: DatabaseOrTransaction = getDb(),
): Promise<PortalResult> {
  const row = await db.subscription.findFirst({
    where: { userId, providerCustomerId: { not: null } },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  if (!row?.providerCustomerId) return { status: "no_customer" };
  const customerId = row.providerCustomerId;
  const { id: subscriptionId, provider } = toSubscription(row);
  const customer = { provider, customerId, userId };
  if (await isSharedCustomer(customer, db)) {
    reportSharedCustomer({ ...customer, subscriptionId }, "portal");
    return { status: "customer_conflict" };
  }
  const portal = await providerOf(provider).createPortal({ customerId, returnUrl });
  return portal.status === "created" ? portal : { status: "no_customer" };
}
