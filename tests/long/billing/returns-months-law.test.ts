import fc from "fast-check";
import { expect, test } from "vitest";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { expectMonthsAddUp } from "../../helpers/month-report";
import { removeSales } from "../../helpers/remove-sales";
import { deliver } from "../../helpers/returns-actions";
import { dayOf, NOW_DAYS, type Told } from "../../helpers/returns-law";
import {
  beginLife,
  lastReturns,
  liveMonths,
  MOST_RETURNS,
  ofPeriods,
  returnOf,
  tellLast,
} from "../../helpers/returns-months";
import { actions, shops } from "../../helpers/returns-shop";
import { holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

// A later month of an upgraded year: one lot holds the parts of two payments, and lots of the month before are revived.
setUpBillingEnv();
silenceLog();
const RUNS = 60;
const ledger = openLedger({ clock: dayOf(NOW_DAYS) });

const apply = (told: Told, ...events: BillingEvent[]) => deliver(ledger.db, told, events);

/** A customer's remaining credits, by when they end, and the debt. */
async function stateOf(userId: string) {
  const left = await ledger.db.$queryRaw<{ ends: string; credits: number }[]>`
    SELECT coalesce(date_trunc('milliseconds', expires_at)::text, 'never') AS ends,
      sum(remaining)::int AS credits
    FROM credit_transactions
    WHERE user_id = ${userId}::uuid AND remaining > 0 AND (expires_at > statement_timestamp()) IS NOT FALSE
    GROUP BY 1 ORDER BY 1`;
  const [owed] = await ledger.db.$queryRaw<{ credits: number }[]>`
    SELECT coalesce(sum(credits_short), 0)::int AS credits FROM subscription_periods paid
      JOIN subscriptions ON subscriptions.id = subscription_id WHERE user_id = ${userId}::uuid`;
  return { left, owed: owed?.credits };
}

const sums = ({ left, owed }: Awaited<ReturnType<typeof stateOf>>) => ({
  left: left.reduce((total, { credits }) => total + credits, 0),
  owed,
});

const histories = fc.record({
  shop: shops("year"),
  months: fc.tuple(actions, actions),
  lasts: fc.tuple(lastReturns, lastReturns),
  order: fc.shuffledSubarray([...Array(MOST_RETURNS).keys()], { minLength: MOST_RETURNS }),
});

test(`in a later month, a dispute that is opened and won leaves each credit its end (${RUNS} shops)`, {
  ...LAW_TIMEOUT,
}, async () => {
  await holdsFor(histories, { runs: RUNS }, async ({ shop, months }) => {
    try {
      // Creem's figures may hold the dispute: it explains a part of them.
      const life = await beginLife(ledger.db, { ...shop, provider: "stripe" });
      await liveMonths(ledger.db, [life], months);
      const { told } = life;
      for (const sold of ofPeriods(told)) {
        const before = await stateOf(told.userId);
        for (const state of ["open", "won"] as const)
          await apply(told, returnOf(told, sold, { of: "dispute", state, tenths: 10 }));
        expect(await stateOf(told.userId)).toEqual(before);
      }
      expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
      await expectMonthsAddUp(ledger.db);
    } finally {
      await removeSales(ledger.db);
    }
  });
});

test(`in a later month, returns in any order leave the same credits and debts (${RUNS} shops)`, {
  ...LAW_TIMEOUT,
}, async () => {
  await holdsFor(histories, { runs: RUNS }, async ({ shop, months, lasts, order }) => {
    try {
      const [first, second] = [await beginLife(ledger.db, shop), await beginLife(ledger.db, shop)];
      await liveMonths(ledger.db, [first, second], months);
      for (const event of tellLast(first.told, lasts)) await apply(first.told, event);
      const other = tellLast(second.told, lasts);
      for (const at of order) {
        const event = other[at];
        if (event) await apply(second.told, event);
      }
      expect(sums(await stateOf(second.told.userId))).toEqual(
        sums(await stateOf(first.told.userId)),
      );
      expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
      await expectMonthsAddUp(ledger.db);
    } finally {
      await removeSales(ledger.db);
    }
  });
});
