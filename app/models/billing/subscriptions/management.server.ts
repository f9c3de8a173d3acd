import type { Period, PlanKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb, queryPrepared } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import type { SubscriptionStatus } from "~/generated/prisma/enums";
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

/** Provider, plan and period are text columns, written only from the types above. */
const SUBSCRIPTION = Prisma.sql`
  id, user_id AS "userId", provider, provider_customer_id AS "providerCustomerId",
  provider_subscription_id AS "providerSubscriptionId", plan_key AS "planKey", period, status,
  current_period_end AS "currentPeriodEnd", paid_until AS "paidUntil",
  cancel_at_period_end AS "cancelAtPeriodEnd", ended_at AS "endedAt",
  scheduled_plan_key AS "scheduledPlanKey", scheduled_period AS "scheduledPeriod",
  next_grant_at AS "nextGrantAt"`;

/** A user with a subscription in one of these states cannot subscribe again. */
const RUNNING: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "paused"];

/**
 * A subscription in any other state may still charge its user: Creem retries an `expired` one, an
 * `incomplete` one may just have been paid, and an `unknown` status says nothing. All of them can be
 * cancelled, and each stands in the way of a deletion.
 */
export const MAY_CHARGE = { status: { not: "canceled" } } satisfies Prisma.SubscriptionWhereInput;

/** The user's running subscriptions, newest first. There can be two if two checkouts were paid. */
export function listRunningSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const statement = Prisma.sql`
    SELECT ${SUBSCRIPTION} FROM subscriptions
    WHERE user_id = ${userId}::uuid AND status = ANY (${RUNNING}::subscription_status[])
    ORDER BY created_at DESC, id DESC`;
  return queryPrepared("list_running_subscriptions", statement, db);
}

/** The user's newest running subscription; null if there is none. */
export async function getRunningSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription | null> {
  const [newest] = await listRunningSubscriptions(userId, db);
  return newest ?? null;
}

/** The user's subscriptions that may still charge them, newest first. */
export function listOpenSubscriptions(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription[]> {
  const statement = Prisma.sql`
    SELECT ${SUBSCRIPTION} FROM subscriptions
    WHERE user_id = ${userId}::uuid AND status <> 'canceled'
    ORDER BY created_at DESC, id DESC`;
  return queryPrepared("list_open_subscriptions", statement, db);
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

/**
 * The user's subscription with this id or, without one, the one that `getOpenSubscription` returns, or
 * else the newest, which has ended. Null if there is none.
 */
export async function findOwnSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
  subscriptionId?: string,
): Promise<OwnSubscription | null> {
  if (subscriptionId === undefined)
    return (await getOpenSubscription(userId, db)) ?? getLatestSubscription(userId, db);
  if (!isUuid(subscriptionId)) return null;
  const statement = Prisma.sql`
    SELECT ${SUBSCRIPTION} FROM subscriptions
    WHERE user_id = ${userId}::uuid AND id = ${subscriptionId}::uuid`;
  const [row] = await queryPrepared<OwnSubscription>("find_own_subscription", statement, db);
  return row ?? null;
}

export const isRunning = ({ status }: Pick<OwnSubscription, "status">) => RUNNING.includes(status);

/** The user's newest subscription, including ended ones; null if there never was one. */
export async function getLatestSubscription(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OwnSubscription | null> {
  const statement = Prisma.sql`
    SELECT ${SUBSCRIPTION} FROM subscriptions WHERE user_id = ${userId}::uuid
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  const [row] = await queryPrepared<OwnSubscription>("get_latest_subscription", statement, db);
  return row ?? null;
}
