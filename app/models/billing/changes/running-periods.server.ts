import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { isMoneyGoingBack, type RunningPeriod } from "~/models/billing/changes/money-back";

/** Whether the payment of the subscription's running period went back, wholly or partly. */
export async function hasMoneyBack(
  subscriptionId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return isMoneyGoingBack(
    await db.$queryRaw<RunningPeriod[]>`
      SELECT kind::text, starts_at AS "startsAt", ends_at AS "endsAt", plan_key AS "planKey", period,
        amount::float8, currency, amount_returned::float8 AS "amountReturned", closed_at AS "closedAt"
      FROM subscription_periods
      WHERE subscription_id = ${subscriptionId}::uuid AND kind IN ('paid', 'upgrade')
        AND starts_at <= now() AND now() < ends_at`,
  );
}

/** Whether `hasMoneyBack` is true of any subscription of this customer, whose portal shows them all. */
export async function hasCustomerMoneyBack(
  { provider, customerId }: { provider: string; customerId: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const subscriptions = await db.subscription.findMany({
    where: { provider, providerCustomerId: customerId, status: { not: "canceled" } },
    select: { id: true },
  });
  for (const { id } of subscriptions) if (await hasMoneyBack(id, db)) return true;
  return false;
}
