import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { DatabaseOrTransaction } from "~/db.server";
import { getBalance } from "~/models/credits/balance.server";
import { bookExpiries } from "~/models/credits/expiries.server";
import { listFaults } from "~/models/credits/faults.server";
import { grantCredits } from "~/models/credits/grants.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits, takeIfUnchanged } from "~/models/credits/spends.server";
import {
  createLot,
  createUser,
  createUserWith,
  DAY,
  endLot,
  HOUR,
  inFuture,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";
import { holdTransaction, interject, untilWaiting } from "../../helpers/held-transaction";

/**
 * In each test one transaction waits for another at a known place. Everything the waiting one read
 * before it waited is out of date when it continues.
 */
const ledger = openLedger();

/** Runs only the spend's one-statement fast path. */
const takeOnce = (userId: string, amount: number) =>
  takeIfUnchanged(
    { userId, type: "deduction", amount, source: `generation:${randomUUID()}` },
    ledger.db,
  );

const spend = (userId: string, amount: number, db: DatabaseOrTransaction = ledger.db) =>
  spendCredits({ userId, amount, source: `generation:${randomUUID()}` }, db);

test("one statement that waited for another spend changes nothing, even if the balance is enough", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5, 5);
  const other = await holdTransaction(db, (transaction) => spend(userId, 5, transaction));
  const waited = takeOnce(userId, 5);
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toBeNull();
  expect(await listRemaining(db, userId)).toEqual([0, 5]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("one statement that waited for a spend that was rolled back goes through", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5, 5);
  const other = await holdTransaction(db, (transaction) => spend(userId, 5, transaction));
  const waited = takeOnce(userId, 5);
  await untilWaiting(db);
  await other.rollback();
  expect(await waited).toMatchObject({ balance: 5 });
  expect(await listRemaining(db, userId)).toEqual([0, 5]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("one statement in a transaction that spent before sees the remaining credits", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5, 5);
  await db.$transaction(async (transaction) => {
    await spend(userId, 4, transaction);
    await spend(userId, 4, transaction);
  });
  expect(await listRemaining(db, userId)).toEqual([0, 2]);
});

test("a spend that waited for another takes from the remaining credits", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5, 5);
  const other = await holdTransaction(db, (transaction) => spend(userId, 5, transaction));
  const waited = spend(userId, 5);
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toMatchObject({ status: "spent", balance: 0 });
  expect(await listRemaining(db, userId)).toEqual([0, 0]);
});

test("a spend that waited for a grant burns the new lot first if it expires first", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5);
  const other = await holdTransaction(db, (transaction) =>
    grantCredits(
      { userId, amount: 5, source: `test:${randomUUID()}`, expiresAt: inFuture(DAY) },
      transaction,
    ),
  );
  const waited = spend(userId, 5);
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toMatchObject({ status: "spent", balance: 5 });
  expect(await listRemaining(db, userId)).toEqual([5, 0]);
});

test("a grant that waited for a spend adds to the remaining balance", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5);
  const other = await holdTransaction(db, (transaction) => spend(userId, 3, transaction));
  const waited = createLot(db, userId, 10, DAY);
  await untilWaiting(db);
  await other.commit();
  await waited;
  expect(await listRemaining(db, userId)).toEqual([2, 10]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a refund that waited for an expiry revives the lot it emptied", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [10, HOUR]);
  await spendCredits({ userId, amount: 6, source: "generation:expired" }, db);
  await passTime(db, userId, 2 * HOUR);
  const other = await holdTransaction(db, (transaction) => bookExpiries(userId, transaction));
  const waited = refundSpend({ source: "generation:expired" }, db);
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toMatchObject({ status: "refunded", balance: 6 });
  expect(await getBalance(userId, db)).toBe(6);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a refund in a transaction that began before a lot's time was over sees that it is", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const lotId = await createLot(db, userId, 10, HOUR);
  await spendCredits({ userId, amount: 6, source: "generation:old" }, db);
  await db.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT 'the transaction has begun'`;
    await endLot(db, lotId);
    await refundSpend({ source: "generation:old" }, transaction);
  });
  expect(await getBalance(userId, db)).toBe(6);
});

test("a lot that expires during a spend is spendable as of the spend's start", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [5, -HOUR]);
  const lotId = await createLot(db, userId, 10, DAY);
  interject("AS lots, coalesce", () => endLot(db, lotId));
  expect(await spend(userId, 7)).toMatchObject({ status: "spent", balance: 3 });
});

test("of two spends with one source at once, the one that waited is the duplicate", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  const one = { userId, amount: 4, source: "generation:twice" };
  const other = await holdTransaction(db, (transaction) => spendCredits(one, transaction));
  const waited = spendCredits(one, db);
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toMatchObject({ status: "duplicate", transaction: { amount: -4 } });
  expect(await getBalance(userId, db)).toBe(6);
});

test("a source that another user is using at the same time is waited for, and takes nothing", async () => {
  const { db } = ledger;
  const [first, second] = [await createUserWith(db, 10), await createUserWith(db, 10)];
  const source = "generation:shared";
  const other = await holdTransaction(db, (transaction) =>
    spendCredits({ userId: first, amount: 4, source }, transaction),
  );
  const waited = db.$transaction(async (transaction) => {
    const result = await spendCredits({ userId: second, amount: 4, source }, transaction);
    return { result, balance: await getBalance(second, transaction) };
  });
  await untilWaiting(db);
  await other.commit();
  expect(await waited).toMatchObject({
    result: { status: "duplicate", transaction: { userId: first } },
    balance: 10,
  });
  expect(await listFaults([first, second], db)).toEqual([]);
});

test("a spend that found no account takes nothing from one that came a moment later", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  interject("AS locked FROM credit_accounts", () => createLot(db, userId, 5));
  expect(await spend(userId, 5)).toEqual({ status: "insufficient", required: 5, balance: 0 });
  expect(await listRemaining(db, userId)).toEqual([5]);
});

test("a spend during the user's first grant has no credits yet", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const other = await holdTransaction(db, (transaction) =>
    grantCredits(
      { userId, amount: 5, source: `test:${randomUUID()}`, expiresAt: null },
      transaction,
    ),
  );
  expect(await spend(userId, 5)).toEqual({ status: "insufficient", required: 5, balance: 0 });
  await other.commit();
  expect(await spend(userId, 5)).toMatchObject({ status: "spent", balance: 0 });
});
