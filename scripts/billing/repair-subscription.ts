import type { Subscription } from "~/generated/prisma/client";
import type {
  BillingEvent,
  InvoicePaid,
  SubscriptionChanged,
} from "~/services/payments/billing-event";
import { CLOCK_TOLERANCE } from "~/services/payments/read-record";

/**
 * The events that bring a subscription's row up to its provider's state, in the order in which
 * webhooks would have told of it: running from its first paid period on, each period as it was paid,
 * and then what it is today. So what was paid for is granted also where it has ended since.
 */
export function repairEvents({
  row,
  change,
  paid,
  differs,
}: {
  /** Null where it is not here yet. */
  row: Pick<Subscription, "providerEventAt"> | null;
  change: SubscriptionChanged;
  /** What is not noted here yet, oldest first. */
  paid: InvoicePaid[];
  /** Whether its state differs, besides what is paid for. */
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
    ...(differs || (last && !isRunning) ? [current] : []),
  ];
}

/**
 * The state counts as just after the newest event that is applied already, or as of its reading,
 * whichever is later. An event that came since the reading stays the newer one.
 */
function instantFor(
  row: Pick<Subscription, "providerEventAt"> | null,
  { occurredAt }: SubscriptionChanged,
): Date {
  const newest = row?.providerEventAt?.getTime() ?? 0;
  const read = occurredAt.getTime() + CLOCK_TOLERANCE;
  return newest > occurredAt.getTime() && newest <= read ? new Date(newest) : occurredAt;
}
