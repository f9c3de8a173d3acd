import type { Subscription } from "~/generated/prisma/client";
import type {
  BillingEvent,
  InvoicePaid,
  SubscriptionChanged,
} from "~/services/payments/billing-event";
import { CLOCK_TOLERANCE } from "~/services/payments/read-record";

/**
 * Returns the events that bring a subscription's row to its provider's state, in the order of the
 * webhooks: active from its first paid period, each paid period, then today's state. So paid periods are
 * granted even if the subscription has ended since.
 */
export function repairEvents({
  row,
  change,
  paid,
  differs,
}: {
  /** Null if there is no row yet. */
  row: Pick<Subscription, "providerEventAt"> | null;
  change: SubscriptionChanged;
  /** Invoices that aren't recorded here yet, oldest first. */
  paid: InvoicePaid[];
  /** Whether the state differs, paid periods aside. */
  differs: boolean;
}): BillingEvent[] {
  const current = { ...change, occurredAt: instantFor(row, change) };
  const isRunning = ["active", "trialing", null].includes(change.status);
  const running = ({ periodStart, periodEnd }: InvoicePaid): SubscriptionChanged => ({
    ...current,
    status: "active",
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    cancelAtPeriodEnd: false,
    endedAt: null,
  });
  const [first, last] = [paid[0], paid.at(-1)];
  return [
    ...(first && !row ? [running(first)] : []),
    ...paid,
    ...(last && !isRunning ? [running(last)] : []),
    // Once more than what the payments say: an event from before them may still be told.
    ...(differs || last ? [current] : []),
  ];
}

/**
 * Returns the timestamp for the state: just after the newest applied event, or the time it was read,
 * whichever is later. An event that arrives after the reading is still newer.
 */
function instantFor(
  row: Pick<Subscription, "providerEventAt"> | null,
  { occurredAt }: SubscriptionChanged,
): Date {
  const newest = row?.providerEventAt?.getTime() ?? 0;
  const read = occurredAt.getTime() + CLOCK_TOLERANCE;
  return newest > occurredAt.getTime() && newest <= read ? new Date(newest) : occurredAt;
}
