import type { Database, Transaction } from "~/db.server";
import { queueSubscriptionNews } from "~/models/billing/billing-emails.server";
import { MAY_CHARGE } from "~/models/billing/subscriptions/management.server";
import type { PlanTarget, RunningPeriod } from "~/services/payments/plan-changes";

// Each of these records a change that was asked for here and that the provider has confirmed, with its time.
// Provider events of the same second or before don't undo it: see `isBeforeOwnWrite`. A row that has ended
// meanwhile stays as it is.

/**
 * It ends with its period, so no change is planned any more. The row is locked first, so that of two
 * requests, or of a request and the event, one tells of the end.
 */
export async function recordScheduledEnd(
  { id, currentPeriodEnd }: { id: string; currentPeriodEnd: Date | null },
  db: Database,
): Promise<void> {
  await db.$transaction(async (transaction) => {
    await lock(id, transaction);
    const row = await transaction.subscription.findFirst({
      where: { id, ...MAY_CHARGE },
      select: {
        id: true,
        userId: true,
        status: true,
        cancelAtPeriodEnd: true,
        currentPeriodEnd: true,
      },
    });
    if (!row) return;
    const periodEnd = currentPeriodEnd ?? row.currentPeriodEnd;
    await transaction.$executeRaw`
      UPDATE subscriptions
      SET cancel_at_period_end = true, own_write_at = now(),
        scheduled_plan_key = NULL, scheduled_period = NULL,
        current_period_end = ${periodEnd}::timestamptz
      WHERE id = ${id}::uuid`;
    const now = {
      status: row.status,
      cancelAtPeriodEnd: true,
      currentPeriodEnd: periodEnd,
      occurredAt: new Date(),
    };
    await queueSubscriptionNews(row, now, transaction);
  });
}

async function lock(id: string, transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT 1 AS locked FROM subscriptions WHERE id = ${id}::uuid FOR UPDATE`;
}

/** Its cancellation was taken back: it renews. */
export async function recordResumed(
  { id, currentPeriodEnd }: { id: string; currentPeriodEnd: Date | null },
  db: Database,
): Promise<void> {
  await db.$executeRaw`
    UPDATE subscriptions
    SET cancel_at_period_end = false, own_write_at = now(),
      current_period_end = COALESCE(${currentPeriodEnd}::timestamptz, current_period_end)
    WHERE id = ${id}::uuid AND status <> 'canceled'`;
}

/** The plan that begins when the running period ends; null if none does any more. */
export async function recordScheduledChange(
  { id, target }: { id: string; target: PlanTarget | null },
  db: Database,
): Promise<void> {
  await db.$executeRaw`
    UPDATE subscriptions
    SET scheduled_plan_key = ${target?.planKey ?? null}, scheduled_period = ${target?.period ?? null},
      own_write_at = now()
    WHERE id = ${id}::uuid AND status <> 'canceled'`;
}

/** Another plan has begun, in place of any change that was planned. Its credits follow its invoice. */
export async function recordChange(
  { id, target, running }: { id: string; target: PlanTarget; running: RunningPeriod },
  db: Database,
): Promise<void> {
  const { priceId, currentPeriodStart, currentPeriodEnd } = running;
  await db.$executeRaw`
    UPDATE subscriptions
    SET plan_key = ${target.planKey}, period = ${target.period},
      provider_price_id = ${priceId}, scheduled_plan_key = NULL, scheduled_period = NULL,
      current_period_start = ${currentPeriodStart}::timestamptz,
      current_period_end = ${currentPeriodEnd}::timestamptz, own_write_at = now()
    WHERE id = ${id}::uuid AND status <> 'canceled'`;
}

/**
 * Whether an event is no newer than our last confirmed write. Providers count whole seconds, and one
 * change of ours causes several events: Stripe, for one, tells of a released schedule in the second in
 * which we cancel.
 */
export function isBeforeOwnWrite(event: { occurredAt: Date }, ownWriteAt: Date | null): boolean {
  return ownWriteAt !== null && secondOf(event.occurredAt) <= secondOf(ownWriteAt);
}

const secondOf = (at: Date) => Math.floor(at.getTime() / 1000);
