import pg from "pg";
import { expect, test, vi } from "vitest";
import { connectDb } from "~/db.server";
import { readAccountView } from "~/models/credits/account-view.server";
import { getBalance } from "~/models/credits/balance.server";
import { listFaults } from "~/models/credits/faults.server";
import { grantCredits } from "~/models/credits/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import {
  createUser,
  createUserWith,
  DAY,
  HOUR,
  inFuture,
  listRemaining,
  openLedger,
  passTime,
} from "../../helpers/credits";

const ledger = openLedger();

test("lots burn by expiry, then never-expiring ones, then by age", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5, [5, 30 * DAY], 5, [5, DAY]);
  const left = async (amount: number, source: string) => {
    await spendCredits({ userId, amount, source }, db);
    return listRemaining(db, userId);
  };
  expect(await left(4, "generation:a1")).toEqual([5, 5, 5, 1]);
  expect(await left(4, "generation:a2")).toEqual([5, 2, 5, 0]);
  expect(await left(4, "generation:a3")).toEqual([3, 0, 5, 0]);
  expect(await left(8, "generation:a4")).toEqual([0, 0, 0, 0]);
});

test("a spend over the balance takes nothing and reports the missing credits", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 4, 5);
  expect(await spendCredits({ userId, amount: 10, source: "generation:b" }, db)).toEqual({
    status: "insufficient",
    required: 10,
    balance: 9,
  });
  expect(await listRemaining(db, userId)).toEqual([4, 5]);
  expect(await spendCredits({ userId, amount: 9, source: "generation:b" }, db)).toMatchObject({
    status: "spent",
    balance: 0,
  });
});

test("a user who never had credits has none to spend", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  expect(await spendCredits({ userId, amount: 1, source: "generation:c" }, db)).toEqual({
    status: "insufficient",
    required: 1,
    balance: 0,
  });
  expect(await getBalance(userId, db)).toBe(0);
});

test("a source charges once, and the second response is the first one's row", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  const spend = { userId, amount: 3, source: "generation:d", reference: "r", description: "d" };
  const first = await spendCredits(spend, db);
  expect(first).toEqual({ status: "spent", transactionId: expect.any(String), balance: 7 });
  expect(await spendCredits({ ...spend, amount: 5 }, db)).toMatchObject({
    status: "duplicate",
    transaction: {
      id: first.status === "spent" && first.transactionId,
      type: "deduction",
      amount: -3,
      balanceAfter: 7,
      reference: "r",
      description: "d",
    },
  });
  expect(await getBalance(userId, db)).toBe(7);
});

test("a source grants once", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const lot = { userId, amount: 100, source: "order:stripe:e", expiresAt: null };
  expect(await grantCredits(lot, db)).toMatchObject({ status: "granted" });
  expect(await grantCredits(lot, db)).toMatchObject({ status: "duplicate" });
  expect(await listRemaining(db, userId)).toEqual([100]);
});

test("a spend that finds its account as it was is one round trip", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10, 10);
  const query = vi.spyOn(pg.Client.prototype, "query");
  await spendCredits({ userId, amount: 15, source: "generation:f" }, db);
  expect(query).toHaveBeenCalledTimes(1);
});

test.each([
  ["", ["take_credits"]],
  ["?pgbouncer=true", []],
])(
  "with '%s' after the database's address, a connection keeps the statements %j",
  async (suffix, kept) => {
    const userId = await createUserWith(ledger.db, 10);
    const db = connectDb(`${ledger.url}${suffix}`);
    const names = await db.$transaction(async (transaction) => {
      await spendCredits({ userId, amount: 1, source: `generation:n${suffix}` }, transaction);
      const rows = await transaction.$queryRaw<{ name: string }[]>`
      SELECT name FROM pg_prepared_statements WHERE name <> ''`;
      return rows.map(({ name }) => name);
    });
    await db.$disconnect();
    expect(names).toEqual(kept);
  },
);

test("a lot that is over is not in the balance, and its expiry is booked before the next spend", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, [5, HOUR], [5, 3 * HOUR], 5);
  await passTime(db, userId, 2 * HOUR);
  expect(await getBalance(userId, db)).toBe(10);
  expect((await readAccountView({ userId, cursor: null }, db)).expiring).toMatchObject({
    amount: 5,
  });
  expect(await spendCredits({ userId, amount: 11, source: "generation:g" }, db)).toEqual({
    status: "insufficient",
    required: 11,
    balance: 10,
  });
  expect(await spendCredits({ userId, amount: 6, source: "generation:g" }, db)).toMatchObject({
    status: "spent",
    balance: 4,
  });
  expect(await listRemaining(db, userId)).toEqual([0, 0, 4]);
  expect((await readAccountView({ userId, cursor: null }, db)).expiring).toBeNull();
});

test("the next expiry includes every lot with the earliest time", async () => {
  const { db } = ledger;
  const userId = await createUser(db);
  const at = inFuture(DAY);
  const grant = (source: string, amount: number, expiresAt: Date | null) =>
    grantCredits({ userId, amount, source, expiresAt }, db);
  await grant("signup:h1", 1, null);
  await grant("signup:h2", 2, inFuture(2 * DAY));
  await grant("signup:h3", 4, at);
  await grant("signup:h4", 8, at);
  expect((await readAccountView({ userId, cursor: null }, db)).expiring).toEqual({
    amount: 12,
    at,
  });
});

test.each([0, -1, 1.5, 2 ** 31])("%d credits can be neither granted nor spent", async (amount) => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  const source = `generation:i${amount}`;
  await expect(spendCredits({ userId, amount, source }, db)).rejects.toThrow(RangeError);
  await expect(grantCredits({ userId, amount, source, expiresAt: null }, db)).rejects.toThrow(
    RangeError,
  );
});

test.each([
  ["the lots hold less than the balance says", "UPDATE credit_accounts SET balance = balance + 5"],
  ["the balance says less than the lots hold", "UPDATE credit_accounts SET balance = balance - 5"],
])("where %s, the smaller of the two can be spent", async (_what, sql) => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await db.$executeRawUnsafe(`${sql} WHERE user_id = '${userId}'`);
  const spend = (amount: number) =>
    spendCredits({ userId, amount, source: `generation:l${userId}${amount}` }, db);
  const most = sql.includes("+") ? 10 : 5;
  expect((await spend(most + 1)).status).toBe("insufficient");
  expect((await spend(most)).status).toBe("spent");
});

test("an account whose next expiry is wrongly past can be spent from", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await db.$executeRaw`
    UPDATE credit_accounts SET next_expiry_at = now() - interval '1 day' WHERE user_id = ${userId}::uuid`;
  const spent = await spendCredits({ userId, amount: 4, source: "generation:m" }, db);
  expect(spent).toMatchObject({ status: "spent", balance: 6 });
  expect(await listFaults([userId], db)).toEqual([]);
});

test("a caller's transaction that fails takes the spend with it", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  const failed = db.$transaction(async (transaction) => {
    await spendCredits({ userId, amount: 4, source: "generation:j" }, transaction);
    throw new Error("after the charge");
  });
  await expect(failed).rejects.toThrow("after the charge");
  expect(await getBalance(userId, db)).toBe(10);
});

test("a refusal or a duplicate leaves the caller's transaction usable", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 10);
  await db.$transaction(async (transaction) => {
    const spend = (amount: number) =>
      spendCredits({ userId, amount, source: "generation:k" }, transaction);
    expect((await spend(11)).status).toBe("insufficient");
    expect((await spend(4)).status).toBe("spent");
    expect((await spend(4)).status).toBe("duplicate");
  });
  expect(await listRemaining(db, userId)).toEqual([6]);
});
