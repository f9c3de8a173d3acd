import { expect, test } from "vitest";
import { readAccountView } from "~/models/credits/account-view.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import { createLot, createUserWith, DAY, openLedger } from "../../helpers/credits";
import { interject } from "../../helpers/held-transaction";

const ledger = openLedger();

test("balance, lots and rows are of one moment, also when a run ends between two statements", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 30, [20, DAY]);
  const source = "generation:between";
  await spendCredits({ userId, amount: 25, source }, db);
  // The end comes after the first statement that reads the ledger, whichever that is. Statements of a
  // transaction wait for it.
  interject("credit_transactions", () => refundSpend({ source, amount: 15 }, db));
  const { balance, lots, transactions } = await db.$transaction((transaction) =>
    readAccountView({ userId, cursor: null }, transaction),
  );
  const held = lots?.reduce((sum, { remaining }) => sum + remaining, 0);
  expect([balance, held, transactions[0]?.balanceAfter]).toEqual([25, 25, 25]);
  const after = await readAccountView({ userId, cursor: null }, db);
  expect(after.balance).toBe(40);
});

test("times and lists come as they are kept, in burn order and newest first; a later page has no lots", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5);
  const soon = await createLot(db, userId, 7, DAY);
  const { lots, expiring, transactions } = await readAccountView({ userId, cursor: null }, db);
  const stored = await db.creditTransaction.findUniqueOrThrow({ where: { id: BigInt(soon) } });
  expect(lots?.map(({ amount }) => amount)).toEqual([7, 5]);
  expect(transactions.map(({ amount }) => amount)).toEqual([7, 5]);
  expect(lots?.[0]).toMatchObject({ createdAt: stored.createdAt, expiresAt: stored.expiresAt });
  expect(expiring).toEqual({ amount: 7, at: stored.expiresAt });
  const later = await readAccountView({ userId, cursor: soon }, db);
  expect(later).toMatchObject({ lots: null, transactions: [{ amount: 5 }], nextCursor: null });
});
