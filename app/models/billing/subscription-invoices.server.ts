import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { Subscription } from "~/generated/prisma/client";
import { issueDueGrants } from "~/models/billing/subscription-grants.server";
import { notePaidPeriod } from "~/models/billing/subscription-periods.server";
import { ensureSubscription } from "~/models/billing/subscriptions.server";
import type { InvoicePaid } from "~/services/payments/billing-event";

/**
 * Records the period that a paid invoice covers. It grants no credits for that period: the next
 * webhook, cron run or spend issues them. Grants due before are issued first: a period that begins off
 * the anchor's grid moves the anchor, and they would be lost.
 */
export async function applyInvoicePaid(
  { provider, event }: { provider: PaymentProviderName; event: InvoicePaid },
  transaction: Transaction,
): Promise<void> {
  const row = await ensureSubscription({ provider, ...event }, transaction);
  if (!row || row.status === "canceled") return;
  const { start, end } = paidPeriod(row, event);
  // Prorations cover no whole period.
  if (!end) return;
  await issueDueGrants([row.id], transaction);
  await notePaidPeriod({ id: row.id, start, end }, transaction);
}

/** Throws if the period is known only from the subscription's own event and that event is still to come. */
function paidPeriod(
  { currentPeriodStart, currentPeriodEnd }: Subscription,
  { periodStart, periodEnd, renewedAt, invoiceId }: InvoicePaid,
): { start: Date | null; end: Date | null } {
  if (renewedAt === undefined) return { start: periodStart, end: periodEnd };
  if (renewedAt && renewedAt.getTime() === currentPeriodStart?.getTime())
    return { start: currentPeriodStart, end: currentPeriodEnd };
  throw new Error(
    `invoice ${invoiceId}: the subscription's period is not the one that it pays for`,
  );
}
