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
  /** The next monthly boundary; it grants only while it lies before `paidUntil`. */
  nextGrantAt: Date | null;
}

const SUBSCRIPTION = {
  id: true,
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
  nextGrantAt: true,
} satisfies Prisma.SubscriptionSelect;

type SubscriptionRow = Prisma.SubscriptionGetPayload<{ select: typeof SUBSCRIPTION }>;

/** Provider, plan and period are text in the database, written from these very types. */
const toSubscription = (row: SubscriptionRow) => row as OwnSubscription;

/** Whoever has one of these cannot subscribe a second time, and can cancel. */
const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];

const NEWEST_FIRST = [{ createdAt: "desc" }, { id: "desc" }] as const;

/** The user's subscriptions that are running, newest first: two, where two checkouts were paid. */
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

/** The user's newest running subscription, or the one of this id; null where there is none. */
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

/** The user's newest subscription, ended ones included; null where there never was one. */
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
  /** None is running, or not this one, or its provider does not have it. */
  | { status: "not_found" };

/**
 * Schedules the end of a running subscription for the end of its period, at the provider that it was
 * bought from. Doing it again changes nothing. The provider's own event confirms it later.
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
  /** No provider knows the user as a customer. */
  | { status: "no_customer" }
  /** Another account has the same customer: their cards and invoices would be shown. */
  | { status: "customer_conflict" };

/**
 * Opens the provider's own page on which the user manages cards, invoices and cancellation: that of
 * the newest subscription, running or not.
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
