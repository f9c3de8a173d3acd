import fc from "fast-check";
import { expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, PaymentReturned } from "~/services/payments/billing-event";
import { paymentReturned, setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { expectMonthsAddUp } from "../../helpers/month-report";
import { removeSales } from "../../helpers/remove-sales";
import { createSpender, deliver, PLAN_PRODUCTS } from "../../helpers/returns-actions";
import { shuffled } from "../../helpers/returns-arrival";
import { dayOf, type Fact, NOW_DAYS, type Sold, type Told, tell } from "../../helpers/returns-law";
import { type Action, actions, type Placed, shops } from "../../helpers/returns-shop";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";
import { setClock } from "../../helpers/subscription-world";

// A later month of an upgraded year: one lot holds the parts of two payments, and lots of the month before are revived.
setUpBillingEnv(PLAN_PRODUCTS);
silenceLog();
const RUNS = byRun({ few: 8, many: 60 });
const NEXT_MONTH_DAYS = 35;
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

interface Life {
  told: Told;
  act: (action: Action) => Promise<void>;
  deliveries: Placed<Fact>[];
}

async function begin(shop: Parameters<typeof tell>[0]): Promise<Life> {
  const told = tell(shop, await createUser(ledger.db));
  return {
    told,
    act: createSpender(told.userId, ledger.db),
    deliveries: shuffled([...told.facts, ...told.asked]),
  };
}

/** The customers' histories in the first month, and in the second. */
async function liveMonths(
  lives: readonly Life[],
  [earlier, later]: readonly [Placed<Action>[], Placed<Action>[]],
): Promise<void> {
  await setClock(ledger.db, dayOf(NOW_DAYS));
  for (const { told, act, deliveries } of lives) {
    const history = [...deliveries, ...earlier].sort((a, b) => a.at - b.at);
    for (const { thing } of history)
      if ("do" in thing) await act(thing);
      else await apply(told, ...thing.events);
  }
  await matchKeptReturns({ limit: 100 }, ledger.db);
  await runDueGrants({}, ledger.db);
  await setClock(ledger.db, dayOf(NEXT_MONTH_DAYS));
  await runDueGrants({}, ledger.db);
  for (const { act } of lives) for (const { thing } of later) await act(thing);
}

/** A refund or dispute of a purchase's first payment, by an id of its own. */
function returned(
  { provider, suffix }: Told,
  { name, payments: [payment] }: Sold,
  more: Pick<PaymentReturned, "of" | "state"> & { tenths: number },
): PaymentReturned {
  if (!payment) throw new Error(`${name}: has no payment`);
  const { paymentId, orderId, charged, currency } = payment;
  const { tenths, ...kind } = more;
  return paymentReturned({
    ...{ ...kind, paymentId, orderId, currency, chargedAmount: charged },
    returnId: `${provider}_last_${more.of}_${name}${suffix}`,
    amount: Math.ceil((charged * tenths) / 10),
  });
}

const ofPeriods = ({ sales }: Told) => sales.filter(({ name }) => !name.startsWith("pack"));

const MOST_RETURNS = 6;
const lastReturns = fc.record({
  refund: fc.integer({ min: 0, max: 10 }),
  dispute: fc.integer({ min: 0, max: 10 }),
  isWon: fc.boolean(),
});
type LastReturns = typeof lastReturns extends fc.Arbitrary<infer Value> ? Value : never;

/** A refund and a dispute of each purchase, and perhaps that it is won. */
function tellLast(told: Told, lasts: readonly LastReturns[]): PaymentReturned[] {
  return ofPeriods(told).flatMap((sold, at) => {
    const last = lasts[at];
    if (!last) return [];
    const dispute = { of: "dispute", tenths: last.dispute } as const;
    return [
      returned(told, sold, { of: "refund", state: "succeeded", tenths: last.refund }),
      returned(told, sold, { ...dispute, state: "open" }),
      ...(last.isWon ? [returned(told, sold, { ...dispute, state: "won" })] : []),
    ].filter(({ amount }) => amount > 0);
  });
}

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
      const life = await begin({ ...shop, provider: "stripe" });
      await liveMonths([life], months);
      const { told } = life;
      for (const sold of ofPeriods(told)) {
        const before = await stateOf(told.userId);
        for (const state of ["open", "won"] as const)
          await apply(told, returned(told, sold, { of: "dispute", state, tenths: 10 }));
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
      const [first, second] = [await begin(shop), await begin(shop)];
      await liveMonths([first, second], months);
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
