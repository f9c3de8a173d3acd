import { expect, test } from "vitest";
import { readAccountView } from "~/models/credits/account-view.server";
import { getBalance } from "~/models/credits/balance.server";
import { bookExpiries } from "~/models/credits/expiries.server";
import { listFaults } from "~/models/credits/faults.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import { listTransactions } from "~/models/credits/story.server";
import {
  createLot,
  createUser,
  createUserWith,
  DAY,
  HOUR,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";

const ledger = openLedger();

test("lots of 5 (tomorrow), 5 (in 30 days), 5 (never): spending 7 leaves 0/3/5, the refund 5/5/5", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const lots = [
    await createLot(db, userId, 5, DAY),
    await createLot(db, userId, 5, 30 * DAY),
    await createLot(db, userId, 5),
  ];
  await spendCredits({ userId, amount: 7, source: "generation:a" }, db);
  expect(await listRemaining(db, userId)).toEqual([0, 3, 5]);
  expect(await refundSpend({ source: "generation:a", description: "it failed" }, db)).toEqual({
    status: "refunded",
    transactionId: expect.any(String),
    balance: 15,
    lots: [
      { lotId: lots[0], amount: 5 },
      { lotId: lots[1], amount: 2 },
    ],
  });
  expect(await listRemaining(db, userId)).toEqual([5, 5, 5]);
  const { transactions } = await listTransactions({ userId, cursor: null }, db);
  expect(transactions[0]).toMatchObject({
    type: "refund",
    amount: 7,
    balanceAfter: 15,
    source: "generation:a:refund",
    description: "it failed",
  });
});

test("a spend is refunded once", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await spendCredits({ userId, amount: 6, source: "generation:b" }, db);
  expect(await refundSpend({ source: "generation:b", amount: 2 }, db)).toMatchObject({
    status: "refunded",
    balance: 6,
  });
  expect(await refundSpend({ source: "generation:b" }, db)).toMatchObject({
    status: "duplicate",
    transaction: { amount: 2, source: "generation:b:refund" },
  });
  expect(await getBalance(userId, db)).toBe(6);
});

test("a refund of a part leaves the lots as a smaller spend would have", async () => {
  const { db } = ledger;
  const newUser = () => createUserWith(db, [5, DAY], [5, 2 * DAY], 5);
  const [partly, smaller] = [await newUser(), await newUser()];
  await spendCredits({ userId: partly, amount: 13, source: "generation:c" }, db);
  await refundSpend({ source: "generation:c", amount: 6 }, db);
  await spendCredits({ userId: smaller, amount: 7, source: "generation:d" }, db);
  expect(await listRemaining(db, partly)).toEqual([0, 3, 5]);
  expect(await listRemaining(db, smaller)).toEqual([0, 3, 5]);
});

test("a lot that expired since loses its rest, takes its portion back, and lasts 24 hours more", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const lotId = await createLot(db, userId, 10, HOUR);
  await spendCredits({ userId, amount: 7, source: "generation:e" }, db);
  await passTime(db, userId, 2 * HOUR);
  const refunded = await refundSpend({ source: "generation:e" }, db);
  expect(refunded).toMatchObject({ status: "refunded", balance: 7 });
  expect(await listRemaining(db, userId)).toEqual([7]);
  const { transactions } = await listTransactions({ userId, cursor: null }, db);
  expect(transactions.map(({ type, amount, source }) => [type, amount, source])).toEqual([
    ["refund", 7, "generation:e:refund"],
    ["expiry", -3, `expiry:${lotId}:1`],
    ["deduction", -7, "generation:e"],
    ["grant", 10, expect.any(String)],
  ]);
  const expiring = (await readAccountView({ userId, cursor: null }, db)).expiring;
  expect(expiring?.amount).toBe(7);
  const hours = ((expiring?.at.getTime() ?? 0) - Date.now()) / HOUR;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);

  await passTime(db, userId, 24 * HOUR);
  expect(await bookExpiries(userId, db)).toEqual({ lots: 1, credits: 7 });
  const after = await listTransactions({ userId, cursor: null }, db);
  expect(after.transactions[0]).toMatchObject({ type: "expiry", source: `expiry:${lotId}:2` });
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a lot is revived once: what is refunded after its 24 hours expires at once", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const lotId = await createLot(db, userId, 10, HOUR);
  await createLot(db, userId, 5);
  for (const source of ["generation:first", "generation:within", "generation:late"])
    await spendCredits({ userId, amount: source === "generation:late" ? 6 : 3, source }, db);
  await passTime(db, userId, 2 * HOUR);
  // Revives the lot for 24 hours.
  expect(await refundSpend({ source: "generation:first" }, db)).toMatchObject({ balance: 6 });
  await passTime(db, userId, 23 * HOUR);
  expect(await refundSpend({ source: "generation:within" }, db)).toMatchObject({ balance: 9 });
  await passTime(db, userId, 2 * HOUR);
  // Two of its six credits go back to the lot that never expires, four to the one that is over.
  expect(await refundSpend({ source: "generation:late" }, db)).toMatchObject({
    status: "refunded",
    balance: 5,
    lots: [{ lotId, amount: 4 }, { amount: 2 }],
  });
  expect(await getBalance(userId, db)).toBe(5);
  expect(await listRemaining(db, userId)).toEqual([0, 5]);
  const { transactions } = await listTransactions({ userId, cursor: null }, db);
  expect(
    transactions.slice(0, 3).map(({ type, amount, source }) => [type, amount, source]),
  ).toEqual([
    ["expiry", -4, `expiry:${lotId}:2`],
    ["refund", 6, "generation:late:refund"],
    ["expiry", -6, `expiry:${lotId}:1`],
  ]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("refunds of a revived lot that race at its end leave no credits in it", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  await createLot(db, userId, 9, HOUR);
  const sources = ["generation:r1", "generation:r2", "generation:r3"];
  for (const source of sources) await spendCredits({ userId, amount: 3, source }, db);
  await passTime(db, userId, 2 * HOUR);
  await refundSpend({ source: "generation:r1" }, db);
  await passTime(db, userId, 25 * HOUR);
  const [second, third] = await Promise.all(
    ["generation:r2", "generation:r3"].map((source) => refundSpend({ source }, db)),
  );
  expect([second, third]).toMatchObject([{ balance: 0 }, { balance: 0 }]);
  expect(await listRemaining(db, userId)).toEqual([0]);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a lot whose expiry is booked already takes its portion back too", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [10, HOUR]);
  await spendCredits({ userId, amount: 7, source: "generation:f" }, db);
  await passTime(db, userId, 30 * DAY);
  await bookExpiries(userId, db);
  expect(await getBalance(userId, db)).toBe(0);
  expect(await refundSpend({ source: "generation:f" }, db)).toMatchObject({ balance: 7 });
  expect(await getBalance(userId, db)).toBe(7);
});

test("a lot whose time is still to come keeps it", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [5, 10 * DAY]);
  await spendCredits({ userId, amount: 5, source: "generation:g" }, db);
  expect((await readAccountView({ userId, cursor: null }, db)).expiring).toBeNull();
  await refundSpend({ source: "generation:g" }, db);
  const expiring = (await readAccountView({ userId, cursor: null }, db)).expiring;
  expect((expiring?.at.getTime() ?? 0) - Date.now()).toBeGreaterThan(9 * DAY);
  expect(await listFaults([userId], db)).toEqual([]);
});

test("only spends are refunded, not grants, adjustments or unknown sources", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  const { transactions } = await listTransactions({ userId, cursor: null }, db);
  const sources = ["generation:unknown", transactions[0]?.source ?? ""];
  for (const source of sources) {
    expect(await refundSpend({ source }, db)).toEqual({ status: "not_found" });
  }
  expect(await getBalance(userId, db)).toBe(10);
});

test("refunding more than was spent is a fault and gives nothing", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await spendCredits({ userId, amount: 4, source: "generation:h" }, db);
  await expect(refundSpend({ source: "generation:h", amount: 5 }, db)).rejects.toThrow(RangeError);
  await expect(refundSpend({ source: "generation:h", amount: 0 }, db)).rejects.toThrow(RangeError);
  expect(await getBalance(userId, db)).toBe(6);
});
