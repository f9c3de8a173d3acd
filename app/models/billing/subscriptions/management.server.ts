import type { Period, PlanKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Prisma } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/generated/prisma/enums";

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

/** A user with a subscription in one of these states cannot subscribe again. */
const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];

/**
 * A subscription in any other state may still charge its user: Creem retries an `expired` one, an
 * `incomplete` one may just have been paid, and an `unknown` status says nothing. All of them can be
 * cancelled, and each stands in the way of a deletion.
 */
export const MAY_CHARGE = { status: { not: "canceled" } } satisfies Prisma.SubscriptionWhereInput;

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

/** The user's newest running subscription; null if there is none. */
export async function getRunningSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription | null> {
  const row = await db.subscription.findFirst({
    where: { userId, status: { in: RUNNING } },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  return row && toSubscription(row);
}

/** The user's subscriptions that may still charge them, newest first. */
export async function listOpenSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const rows = await db.subscription.findMany({
    where: { userId, ...MAY_CHARGE },
    orderBy: [...NEWEST_FIRST],
    select: SUBSCRIPTION,
  });
  return rows.map(toSubscription);
}

/** The subscription with this id or, without one, the running one, or else the newest that may charge. */
export async function getOpenSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
  subscriptionId?: string,
): Promise<OwnSubscription | null> {
  const open = await listOpenSubscriptions(userId, db);
  if (subscriptionId !== undefined) return open.find(({ id }) => id === subscriptionId) ?? null;
  return open.find(isRunning) ?? open[0] ?? null;
}

export const isRunning = ({ status }: Pick<OwnSubscription, "status">) => RUNNING.includes(status);

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
