import fc from "fast-check";
import { expect, test } from "vitest";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { compareReturn } from "~/models/billing/reconciliation/compare-returns.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { AWAY } from "~/models/billing/shares/returned-share";
import { auditLedger } from "~/models/upkeep/audit.server";
import { HAS_TWO_PLANS } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUser, openLedger } from "../../helpers/credits";
import { expectMonthsAddUp } from "../../helpers/month-report";
import { removeSales } from "../../helpers/remove-sales";
import { createSpender, deliver } from "../../helpers/returns-actions";
import { inOrder, shuffled } from "../../helpers/returns-arrival";
import {
  comparable,
  listUnpaid,
  listWrong,
  type Outcome,
  readOutcome,
  sumGiven,
} from "../../helpers/returns-judge";
import { dayOf, type Fact, NOW_DAYS, type Told, tell } from "../../helpers/returns-law";
import {
  type Action,
  actions,
  type Kind,
  mostGiven,
  type Shop,
  shops,
} from "../../helpers/returns-shop";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const RUNS = byRun({ few: 2, many: 30 });
const ledger = openLedger({ clock: dayOf(NOW_DAYS) });

/** Compares what the provider has on record of a return, and repairs it as `billing reconcile --apply` does. */
async function compare(told: Told, { events }: Fact): Promise<void> {
  const records = { name: told.provider };
  const comparison = {
    db: ledger.db,
    records,
    userId: null,
    site: "localhost:3000",
  } as unknown as Comparison;
  for (const event of events) {
    const find = async () =>
      event.kind === "returned" ? await compareReturn(event, comparison) : [];
    for (const { repair } of await find())
      if (repair) await deliver(ledger.db, told, repair.events);
    expect((await find()).filter(({ repair }) => repair !== null)).toEqual([]);
  }
}

const apply = (told: Told, fact: Fact) =>
  fact.isAsked ? compare(told, fact) : deliver(ledger.db, told, fact.events);

/**
 * Applies the facts, with a grant run after each if `isEager`; then maintenance and the daily run do what is
 * left, and reconcile looks once more at what it is asked.
 */
async function live(
  told: Told,
  facts: Fact[],
  { isEager = false, isAsked = true } = {},
): Promise<Outcome> {
  for (const fact of facts) {
    await apply(told, fact);
    if (isEager) await runDueGrants({}, ledger.db);
  }
  if (isAsked) for (const fact of told.asked) await apply(told, fact);
  for (let run = 0; run < 3; run += 1) {
    await matchKeptReturns({ limit: 100 }, ledger.db);
    await runDueGrants({}, ledger.db);
  }
  return readOutcome(told, ledger.db);
}

/**
 * A spend gives nothing, nor does its refund. Money that goes back gives nothing but what a payment for the same again
 * then has to give.
 */
function givesNothing(thing: Action | Fact, { subscription }: Shop): boolean {
  if ("do" in thing) return thing.do !== "run";
  const isPaidAgain = subscription?.again || subscription?.upgradeAgain;
  const areAway = thing.events.every(
    (event) => event.kind === "returned" && AWAY.includes(event.state),
  );
  return areAway && !isPaidAgain;
}

const KINDS: [Kind, string][] = [
  ["packs", "packs"],
  ["month", "a month"],
  ["upgrade", "a subscription with an upgrade"],
  ["again", "a period that is paid twice"],
  ["upgradeAgain", "an upgrade that is paid twice"],
  ["all", "a subscription with all of it"],
];

for (const [kind, title] of KINDS)
  test.runIf(HAS_TWO_PLANS)(
    `${title}: the same facts in any order, any number of times, end in the same (${RUNS} shops)`,
    {
      ...LAW_TIMEOUT,
    },
    async () => {
      await holdsFor(
        fc.tuple(shops(kind), fc.boolean(), fc.boolean()),
        { runs: RUNS },
        async ([shop, isAsked, isEager]) => {
          try {
            const first = tell(shop, await createUser(ledger.db));
            const second = tell(shop, await createUser(ledger.db));
            const inTime = inOrder([...first.facts, ...(isAsked ? first.asked : [])]);
            const outcome = await live(first, inTime, { isAsked });
            const events = inTime.flatMap((fact) => fact.events);
            expect(listWrong(outcome, first, events)).toEqual([]);
            expect(listUnpaid(outcome)).toEqual([]);
            const late = shuffled([...second.facts, ...(isAsked ? second.asked : [])]);
            const arrived = late.map(({ thing }) => thing);
            const options = { isEager, isAsked };
            expect(comparable(await live(second, arrived, options))).toEqual(comparable(outcome));
            expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
            await expectMonthsAddUp(ledger.db);
          } finally {
            await removeSales(ledger.db);
          }
        },
      );
    },
  );

for (const [kind, title] of KINDS)
  test.runIf(HAS_TWO_PLANS)(
    `${title}: with spends and their refunds, lots hold what is paid for, and nothing is given twice (${RUNS} shops)`,
    {
      ...LAW_TIMEOUT,
    },
    async () => {
      await holdsFor(fc.tuple(shops(kind), actions), { runs: RUNS }, async ([shop, meanwhile]) => {
        try {
          const told = tell(shop, await createUser(ledger.db));
          const act = createSpender(told.userId, ledger.db);
          const history = [...shuffled([...told.facts, ...told.asked]), ...meanwhile];
          history.sort((a, b) => a.at - b.at);
          for (const { thing } of history) {
            const before = await sumGiven(told.userId, ledger.db);
            if ("do" in thing) await act(thing);
            else await apply(told, thing);
            const given = await sumGiven(told.userId, ledger.db);
            expect(given).toBeLessThanOrEqual(mostGiven(shop));
            if (givesNothing(thing, shop)) expect(given).toBeLessThanOrEqual(before);
          }
          const facts = [...told.facts, ...told.asked];
          const outcome = await live(told, []);
          const events = facts.flatMap((fact) => fact.events);
          expect(listWrong(outcome, told, events)).toEqual([]);
          // Told again, in any order, nothing moves.
          expect(comparable(await live(told, facts.toReversed()))).toEqual(comparable(outcome));
          expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
          await expectMonthsAddUp(ledger.db);
        } finally {
          await removeSales(ledger.db);
        }
      });
    },
  );
