import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { applyEvents, setUpBillingEnv } from "./billing";
import { openLedger } from "./credits";
import { grantsOf } from "./subscriptions";

type Known = { providerSubscriptionId: string };

/** A database of its own for tests of billing, with what they do most. */
export function openBilling() {
  setUpBillingEnv();
  const ledger = openLedger();
  return {
    ledger,
    /** Applies events as one Stripe delivery. */
    apply: (...events: BillingEvent[]) => applyEvents(ledger.db, ...events),
    rowOf: ({ providerSubscriptionId }: Known) =>
      ledger.db.subscription.findUniqueOrThrow({
        where: { provider_providerSubscriptionId: { provider: "stripe", providerSubscriptionId } },
      }),
    /** The boundaries granted so far, oldest first. */
    boundariesOf: async (subscription: Known) =>
      (await grantsOf(ledger.db, { id: "", userId: "", ...subscription })).map(
        ({ boundary }) => boundary,
      ),
    /** The daily run. */
    tick: () => runDueGrants({}, ledger.db),
  };
}

export const iso = (...dates: Date[]) => dates.map((date) => date.toISOString());
