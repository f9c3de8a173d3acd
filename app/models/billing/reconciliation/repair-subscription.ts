import type { Subscription } from "~/generated/prisma/client";
import type {
  BillingEvent,
  InvoicePaid,
  SubscriptionChanged,
  SubscriptionStatus,
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
  row: Pick<Subscription, "providerEventAt" | "status"> | null;
  change: SubscriptionChanged;
  /** Invoices that aren't recorded here yet, oldest first. */
  paid: InvoicePaid[];
  /** Whether the state differs, paid periods aside. */
  differs: boolean;
}): BillingEvent[] {
  const current = { ...change, occurredAt: instantFor(row, change) };
  // Without a status there, the one here counts: it may be from before the payment.
  const isRunning = RUNNING.includes(change.status ?? row?.status ?? "active");
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
    ...(differs || (last && !isRunning) ? [current] : []),
  ];
}

const RUNNING: SubscriptionStatus[] = ["active", "trialing"];

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
