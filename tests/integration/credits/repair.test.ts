import { expect, test } from "vitest";
import { adjustCredits } from "~/models/credits/adjustments.server";
import { getBalance } from "~/models/credits/balance.server";
import { listFaults } from "~/models/credits/faults.server";
import { repairAccount } from "~/models/credits/repairs.server";
import { spendCredits } from "~/models/credits/spends.server";
import { createUserWith, DAY, listRemaining, openLedger } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";

const ledger = openLedger();

const faultsOf = (userId: string) => listFaults([userId], ledger.db);
const spend = (userId: string, amount: number, name: string) =>
  spendCredits({ userId, amount, source: `generation:${userId}:${name}` }, ledger.db);
const repair = (userId: string, apply = true) =>
  repairAccount({ userId, apply, reason: "SQL by hand", operator: "a test" }, ledger.db);

/** Breaks the ledger as an operator with the app's own role can, past no trigger. */
async function sql(text: string, values: unknown[]) {
  const session = await openSession(ledger.url);
  await session.query(text, values);
}

const raiseBalance = (userId: string, by: number) =>
  sql("UPDATE credit_accounts SET balance = balance + $2 WHERE user_id = $1", [userId, by]);

test("a raised balance goes back to what the rows say, and the repair is recorded", async () => {
  const userId = await createUserWith(ledger.db, 100, [20, DAY]);
  await spend(userId, 5, "a");
  await raiseBalance(userId, 77);
  expect(await repair(userId)).toMatchObject({
    status: "repaired",
    corrections: [{ field: "balance", before: "192", after: "115" }],
  });
  expect(await faultsOf(userId)).toEqual([]);
  expect(await getBalance(userId, ledger.db)).toBe(115);
  expect(await ledger.db.creditRepair.findMany({ where: { userId } })).toMatchObject([
    { field: "balance", before: "192", after: "115", reason: "SQL by hand", operator: "a test" },
  ]);
  expect(await repair(userId)).toEqual({ status: "sound" });
});

test("without apply everything is shown and nothing is kept", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 77);
  const before = await faultsOf(userId);
  expect(await repair(userId, false)).toMatchObject({
    status: "repairable",
    faults: before,
    corrections: [{ field: "balance", before: "177", after: "100" }],
  });
  expect(await faultsOf(userId)).toEqual(before);
  expect(await ledger.db.creditRepair.count({ where: { userId } })).toBe(0);
});

test("lots and the next expiry follow from the allocations", async () => {
  const userId = await createUserWith(ledger.db, 50, [20, DAY]);
  await spend(userId, 30, "a");
  expect(await listRemaining(ledger.db, userId)).toEqual([40, 0]);
  await sql("UPDATE credit_transactions SET remaining = 7 WHERE user_id = $1 AND remaining > 0", [
    userId,
  ]);
  await sql("UPDATE credit_accounts SET next_expiry_at = now() WHERE user_id = $1", [userId]);
  const result = await repair(userId);
  expect(result).toMatchObject({
    status: "repaired",
    corrections: [
      { field: "remaining", before: "7", after: "40" },
      { field: "next_expiry_at", after: null },
    ],
  });
  expect(await faultsOf(userId)).toEqual([]);
  expect(await listRemaining(ledger.db, userId)).toEqual([40, 0]);
});

test("a row written on a wrong balance stays, and verifies once its right number is recorded", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 77);
  await spend(userId, 10, "a");
  await raiseBalance(userId, -77);
  expect((await faultsOf(userId)).map(({ rule }) => rule)).toEqual(["balance-after"]);
  expect(await repair(userId)).toMatchObject({
    status: "repaired",
    corrections: [{ field: "balance_after", before: "167", after: "90" }],
  });
  expect(await faultsOf(userId)).toEqual([]);
  const rows = await ledger.db.creditTransaction.findMany({ where: { userId, amount: -10 } });
  expect(rows).toMatchObject([{ balanceAfter: 167 }]);
  // Later rows are measured by the right balance again.
  await spend(userId, 10, "b");
  expect(await faultsOf(userId)).toEqual([]);
});

/** Breaks the ledger past its triggers, as a restore of single tables can. */
async function forge(...statements: [text: string, values: unknown[]][]) {
  await ledger.db.$transaction(async (transaction) => {
    await transaction.$executeRaw`SET LOCAL session_replication_role = replica`;
    for (const [text, values] of statements) await transaction.$executeRawUnsafe(text, ...values);
  });
}

/** Expects a repair to be refused, and the one row named by its amount. */
async function expectRefused(userId: string, amount: number) {
  const row = await ledger.db.creditTransaction.findFirstOrThrow({ where: { userId, amount } });
  const before = await faultsOf(userId);
  expect(await repair(userId)).toMatchObject({
    status: "unrepairable",
    left: [{ rule: "balance-after", userId, transactionId: row.id.toString() }],
  });
  expect(await faultsOf(userId)).toEqual(before);
  expect(await ledger.db.creditRepair.count({ where: { userId } })).toBe(0);
}

test("an altered amount makes no credits: the chain and the balance speak against it", async () => {
  const userId = await createUserWith(ledger.db, 100, [300, DAY]);
  await spend(userId, 40, "a");
  await forge([
    "UPDATE credit_transactions SET amount = amount + 900 WHERE user_id = $1::uuid AND amount = 300",
    [userId],
  ]);
  await expectRefused(userId, 1200);
});

test("a lost lot takes no credits: the chain and the balance remember it", async () => {
  const userId = await createUserWith(ledger.db, 100, [300, DAY]);
  await forge([
    "DELETE FROM credit_transactions WHERE user_id = $1::uuid AND amount = 100",
    [userId],
  ]);
  await expectRefused(userId, 300);
});

test("a row written on a raised balance looks like a lost one and is not repaired", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 77);
  await spend(userId, 10, "a");
  await expectRefused(userId, -10);
});

test("an account that lost its row gets it back", async () => {
  const userId = await createUserWith(ledger.db, 100, [20, DAY]);
  await sql("DELETE FROM credit_accounts WHERE user_id = $1", [userId]);
  expect(await repair(userId)).toMatchObject({ status: "repaired" });
  expect(await faultsOf(userId)).toEqual([]);
  expect(await getBalance(userId, ledger.db)).toBe(120);
});

test("movements that contradict each other are not repaired, and nothing is changed", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 77);
  await sql(
    `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source)
     VALUES ($1::uuid, 'deduction', -10, 90, 'generation:' || $1 || ':unallocated')`,
    [userId],
  );
  const before = await faultsOf(userId);
  const result = await repair(userId);
  expect(result).toMatchObject({ status: "unrepairable", faults: before });
  expect(result.status === "unrepairable" && result.left.map(({ rule }) => rule)).toContain(
    "allocations",
  );
  expect(await faultsOf(userId)).toEqual(before);
  expect(await ledger.db.creditRepair.count({ where: { userId } })).toBe(0);
});

test("a lot that gave more than it had is not repaired", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await spend(userId, 90, "a");
  await sql("UPDATE credit_transactions SET remaining = 60 WHERE user_id = $1 AND remaining = 10", [
    userId,
  ]);
  await raiseBalance(userId, 50);
  await spend(userId, 50, "b");
  const before = await faultsOf(userId);
  expect(await repair(userId)).toMatchObject({ status: "unrepairable", faults: before });
  expect(await faultsOf(userId)).toEqual(before);
});

test("repairs and spends at the same time leave a sound account", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await spend(userId, 20, "first");
  await sql("UPDATE credit_transactions SET remaining = 90 WHERE user_id = $1 AND remaining = 80", [
    userId,
  ]);
  const results = await Promise.all([
    repair(userId),
    repair(userId),
    ...Array.from({ length: 8 }, (_, n) => spend(userId, 5, `race-${n}`)),
    repair(userId),
  ]);
  expect(results.filter(({ status }) => status === "spent")).toHaveLength(8);
  await repair(userId);
  expect(await faultsOf(userId)).toEqual([]);
  expect(await getBalance(userId, ledger.db)).toBe(40);
});

test("an account that does not verify gets no adjustment", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 77);
  const adjust = (amount: number) =>
    adjustCredits({ userId, amount, key: `${userId}:${amount}`, reason: "a test" }, ledger.db);
  expect(await adjust(-77)).toMatchObject({ status: "faulty", faults: [{ rule: "balance" }] });
  expect(await adjust(50)).toMatchObject({ status: "faulty" });
  expect(await ledger.db.creditTransaction.count({ where: { userId } })).toBe(1);
  await repair(userId);
  expect(await adjust(50)).toMatchObject({ status: "adjusted" });
});

test("nobody can change or delete a recorded repair", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await raiseBalance(userId, 1);
  await repair(userId);
  for (const statement of [
    "UPDATE credit_repairs SET reason = 'none' WHERE user_id = $1",
    "DELETE FROM credit_repairs WHERE user_id = $1",
  ])
    await expect(sql(statement, [userId])).rejects.toThrow("append-only");
});
