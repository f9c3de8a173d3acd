import fc from "fast-check";
import { expect, test } from "vitest";
import { listFaults } from "~/models/credits/faults.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
import { emptyModel, type Model, type Operation } from "../../helpers/credit-model";
import { explain, observe, perform } from "../../helpers/credit-observation";
import { createUser, openLedger } from "../../helpers/credits";
import { expectDaysAddUp, expectMonthsAddUp } from "../../helpers/month-report";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";

const RUNS = byRun({ few: 50, many: 1_000 });

/** Lots expire on half hours and time passes in whole hours, so milliseconds never matter. */
const halfHour = fc.integer({ min: -1, max: 40 }).map((hours) => hours + 0.5);
const amount = fc.integer({ min: 1, max: 12 });
const named = (kind: string) => fc.integer({ min: 1, max: 4 }).map((n) => `${kind}:${n}`);

const change: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("grant" as const),
      source: named("grant"),
      amount,
      hours: fc.option(halfHour, { freq: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("spend" as const), source: named("spend"), amount }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      source: named("spend"),
      amount: fc.option(amount),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("adjust" as const),
      source: named("adjustment"),
      amount: fc.oneof(
        amount,
        amount.map((credits) => -credits),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "expire" as const }) },
);

/** One operation, or two at once. */
const step: fc.Arbitrary<Operation[]> = fc.oneof(
  { weight: 6, arbitrary: change.map((operation) => [operation]) },
  { weight: 2, arbitrary: fc.tuple(change, change) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 30 }).map((hours) => [{ do: "pass" as const, hours }]),
  },
);

/** Refunding more than was taken is the caller's fault and isn't tested here. */
function capRefund(model: Model, operation: Operation): Operation {
  if (operation.do !== "refund" || operation.amount === null) return operation;
  const taken = model.spends[operation.source]?.amount ?? 1;
  return { ...operation, amount: Math.min(operation.amount, taken) };
}

const ledger = openLedger();

test(
  `in ${RUNS} random histories, pairs at once among them, the ledger does what the model does`,
  LAW_TIMEOUT,
  async () => {
    const history = fc.array(step, { minLength: 3, maxLength: 14 });
    await holdsFor(history, { runs: RUNS }, async (steps) => {
      const { db } = ledger;
      const userId = await createUser(db);
      let model = emptyModel();
      for (const drawn of steps) {
        const operations = drawn.map((operation) => capRefund(model, operation));
        const run = { db, userId, at: Date.now() };
        const outcomes = await Promise.all(operations.map((operation) => perform(run, operation)));
        model = explain(model, operations, await observe(db, userId, outcomes));
        expect(await listFaults([userId], db)).toEqual([]);
      }
    });
    expect(await expectMonthsAddUp(ledger.db)).toBeGreaterThan(0);
    expect(await makeFigureDays({ limit: 400 }, ledger.db)).toBeGreaterThan(0);
    await expectDaysAddUp(ledger.db);
  },
);
