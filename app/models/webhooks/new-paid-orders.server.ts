import { type Database, queryPrepared } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { newPaidOrderSteps } from "~/models/billing/orders/pack-checkouts.server";
import { type Claim, claimedStep, endedBy } from "~/models/webhooks/inbox.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { noteQueuedEmail } from "~/utils/request-context.server";

const UNIQUE_VIOLATION = "23505";

/**
 * Applies and ends the delivery in one statement if it tells of one paid, new checkout of a pack, as
 * most deliveries that grant credits do. Returns false, with nothing changed, for every other delivery.
 */
export async function settleNewPaidOrder(
  {
    claim,
    provider,
    events,
  }: { claim: Claim; provider: PaymentProviderName; events: BillingEvent[] },
  db: Database,
): Promise<boolean> {
  const [event] = events;
  if (events.length !== 1 || event?.kind !== "checkout_completed" || event.mode !== "payment")
    return false;
  const steps = newPaidOrderSteps({ provider, event });
  if (!steps) return false;
  const statement = Prisma.sql`WITH ${claimedStep(claim)}, ${steps} ${endedBy(Prisma.sql`lot`)}`;
  try {
    const ended = await queryPrepared("settle_new_paid_order", statement, db);
    if (ended.length === 0) return false;
    noteQueuedEmail();
    return true;
  } catch (error) {
    // The ledger has the order's credits and the order is gone, so it is no new one.
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
