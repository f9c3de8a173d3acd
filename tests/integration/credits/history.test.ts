import { expect, test } from "vitest";
import { listBalancePoints } from "~/models/credits/balance-series.server";
import { spendCredits } from "~/models/credits/spends.server";
import { listTransactions, TRANSACTIONS_PER_PAGE } from "~/models/credits/story.server";
import {
  createLot,
  createUser,
  createUserWith,
  DAY,
  HOUR,
  openLedger,
  passTime,
} from "../../helpers/credits";

const ledger = openLedger();

test("the history comes newest first, in pages that neither repeat nor leave out a row", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 2_000);
  await createUserWith(db, 5);
  for (let n = 1; n <= TRANSACTIONS_PER_PAGE; n += 1) {
    await spendCredits({ userId, amount: n, source: `generation:a${n}` }, db);
  }
  const first = await listTransactions({ userId, cursor: null }, db);
  const second = await listTransactions({ userId, cursor: first.nextCursor }, db);
  expect(first.transactions.map(({ amount }) => -amount)).toEqual(
    Array.from({ length: TRANSACTIONS_PER_PAGE }, (_, n) => TRANSACTIONS_PER_PAGE - n),
  );
  expect(second).toMatchObject({ transactions: [{ type: "grant" }], nextCursor: null });
});

test.each(["", "abc", "-1", "1.5", "9".repeat(19), "9".repeat(18)])(
  "the cursor '%s' causes no error",
  async (cursor) => {
    const { db } = ledger;
    const userId = await createUserWith(db, 5);
    expect((await listTransactions({ userId, cursor }, db)).transactions).toHaveLength(1);
  },
);

test("the balance over time has a point where it began and one for each day on which it moved", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 100);
  await passTime(db, userId, 40 * DAY);
  await spendCredits({ userId, amount: 10, source: "generation:b1" }, db);
  await spendCredits({ userId, amount: 5, source: "generation:b2" }, db);
  await passTime(db, userId, 3 * DAY);
  await createLot(db, userId, 20);
  const points = await listBalancePoints({ userId, days: 30 }, db);
  expect(points.map(({ balance }) => balance)).toEqual([100, 85, 105]);
  const ages = points.map(({ at }) => Math.round((Date.now() - at.getTime()) / HOUR));
  expect(ages).toEqual([30 * 24, 3 * 24, 0]);
});

test("the balance over time of a user without credits begins at 0", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  expect(await listBalancePoints({ userId, days: 7 }, db)).toMatchObject([{ balance: 0 }]);
});
