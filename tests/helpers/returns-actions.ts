import type { Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { applyCreemEvents, applyEvents } from "./billing";
import type { Told } from "./returns-law";
import type { Action } from "./returns-shop";

/** Applies deliveries as their provider's webhook does. */
export function deliver(db: Database, { provider }: Told, events: readonly BillingEvent[]) {
  const apply = provider === "stripe" ? applyEvents : applyCreemEvents;
  return apply(db, ...events);
}

/** A customer's acts: spends, and their refunds. */
export function createSpender(userId: string, db: Database) {
  const spends: { source: string; amount: number }[] = [];
  return async (action: Action): Promise<void> => {
    if (action.do === "run") {
      await runDueGrants({}, db);
    } else if (action.do === "spend") {
      const spend = { source: `test:${userId}:${spends.length}`, amount: action.amount };
      const { status } = await spendCredits({ userId, ...spend }, db);
      if (status === "spent") spends.push(spend);
    } else if (spends.length > 0) {
      const { source, amount } = spends[action.spend % spends.length] as (typeof spends)[number];
      const refund = { source, amount: Math.ceil((amount * action.tenths) / 10) };
      await db.$transaction((transaction) => refundSpends([refund], transaction));
    }
  };
}
