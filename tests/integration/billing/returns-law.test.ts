import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { applyCreemEvents, applyEvents, setUpBillingEnv } from "../../helpers/billing";
import { createUser } from "../../helpers/credits";
import { installFakeClock } from "../../helpers/fake-clock";
import { removeSales } from "../../helpers/remove-sales";
import { createSpender, PLAN_PRODUCTS } from "../../helpers/returns-actions";
import {
  comparable,
  listUnpaid,
  listWrong,
  type Outcome,
  readOutcome,
  sumGiven,
} from "../../helpers/returns-judge";
import { dayOf, inOrder, NOW_DAYS, shuffled, type Told, tell } from "../../helpers/returns-law";
import { actions, type Kind, mostGiven, shops } from "../../helpers/returns-shop";
import { byRun, SEED } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv(PLAN_PRODUCTS);
silenceLog();
const RUNS = byRun({ few: 8, many: 30 });
const PROPERTY = { numRuns: RUNS, seed: SEED };
let db: Database;
beforeAll(async () => {
  const url = await createTestDatabase();
  await installFakeClock(url, dayOf(NOW_DAYS));
  db = connectDb(url);
});
afterAll(() => db.$disconnect());

const apply = ({ provider }: Told, events: BillingEvent[]) =>
  provider === "stripe" ? applyEvents(db, ...events) : applyCreemEvents(db, ...events);

/**
 * Applies the deliveries, with a grant run after each if `isEager`; then maintenance and the daily run do what is
 * left, more than once.
 */
async function live(
  told: Told,
  deliveries: BillingEvent[][],
  { isEager = false } = {},
): Promise<Outcome> {
  for (const events of deliveries) {
    await apply(told, events);
    if (isEager) await runDueGrants({}, db);
  }
  for (let run = 0; run < 3; run += 1) {
    await matchKeptReturns({ limit: 100 }, db);
    await runDueGrants({}, db);
  }
  return readOutcome(told, db);
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
  test(`${title}: the same facts in any order, any number of times, end in the same (${RUNS} shops)`, {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(shops(kind), fc.boolean(), fc.boolean(), async (shop, isAsked, isEager) => {
        try {
          const first = tell(shop, await createUser(db));
          const second = tell(shop, await createUser(db));
          const inTime = inOrder([...first.facts, ...(isAsked ? first.asked : [])]);
          const outcome = await live(first, inTime);
          expect(listWrong(outcome, first, inTime.flat())).toEqual([]);
          expect(listUnpaid(outcome)).toEqual([]);
          const late = shuffled([...second.facts, ...(isAsked ? second.asked : [])]);
          const arrived = late.map(({ thing }) => thing);
          expect(comparable(await live(second, arrived, { isEager }))).toEqual(comparable(outcome));
          expect(await auditLedger({}, db)).toMatchObject({ faults: 0 });
        } finally {
          await removeSales(db);
        }
      }),
      PROPERTY,
    );
  });

for (const [kind, title] of KINDS)
  test(`${title}: with spends and their refunds, lots hold what is paid for, and nothing is given twice (${RUNS} shops)`, {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(shops(kind), actions, async (shop, meanwhile) => {
        try {
          const told = tell(shop, await createUser(db));
          const act = createSpender(told.userId, db);
          const history = [...shuffled([...told.facts, ...told.asked]), ...meanwhile];
          history.sort((a, b) => a.at - b.at);
          for (const { thing } of history) {
            if ("do" in thing) await act(thing);
            else await apply(told, thing);
            expect(await sumGiven(told.userId, db)).toBeLessThanOrEqual(mostGiven(shop));
          }
          const facts = [...told.facts, ...told.asked].map(({ events }) => events);
          const outcome = await live(told, []);
          expect(listWrong(outcome, told, facts.flat())).toEqual([]);
          // Told again, in any order, nothing moves.
          expect(comparable(await live(told, facts.toReversed()))).toEqual(comparable(outcome));
          expect(await auditLedger({}, db)).toMatchObject({ faults: 0 });
        } finally {
          await removeSales(db);
        }
      }),
      PROPERTY,
    );
  });
