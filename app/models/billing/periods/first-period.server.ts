import type { Transaction } from "~/db.server";
import { notePeriod } from "~/models/billing/periods/note-period.server";
import type { SubscriptionChanged } from "~/services/payments/billing-event";

/** A renewal's period begins a month after the subscription at the earliest. */
const FIRST_PERIOD_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/**
 * Notes the first period of a subscription that its own event shows running, so that a customer has
 * credits before the invoice arrives. Only a period that began with the subscription counts: one
 * first heard of later may be an unpaid renewal, and waits for its invoice.
 */
export async function noteFirstPeriod(
  {
    subscriptionId,
    event,
    plan: { planKey, period },
  }: {
    subscriptionId: string;
    event: SubscriptionChanged;
    plan: { planKey: string; period: string };
  },
  transaction: Transaction,
): Promise<void> {
  const { currentPeriodStart: startsAt, currentPeriodEnd: endsAt, startedAt } = event;
  // A scheduled cancellation states no status: it is about a subscription that runs.
  const status = event.status ?? "active";
  if (status !== "active" && status !== "trialing") return;
  if (!startsAt || !endsAt) return;
  const sinceStart = startedAt ? startsAt.getTime() - startedAt.getTime() : 0;
  if (Math.abs(sinceStart) > FIRST_PERIOD_TOLERANCE_MS) return;
  const known = await transaction.subscriptionPeriod.count({ where: { subscriptionId } });
  if (known > 0) return;
  const kind = status === "trialing" ? "trial" : "paid";
  await notePeriod(
    {
      ...{ subscriptionId, kind, startsAt, endsAt, planKey, period },
      ...{ paidAt: null, replacesEarlier: false, payment: null },
    },
    transaction,
  );
}
