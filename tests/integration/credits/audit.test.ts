import { expect, test } from "vitest";
import { listFaults } from "~/models/credits/faults.server";
import { refundSpend } from "~/models/credits/refunds.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { createLot, createUser, createUserWith, DAY, openLedger } from "../../helpers/credits";

const ledger = openLedger();

/** A user with a lot of 10 for a day, a lot of 5 for ever, and a spend of 12, 3 of it refunded. */
async function createBusyUser() {
  const { db } = ledger;
  const userId = await createUser(db);
  const lotId = await createLot(db, userId, 10, DAY);
  await createLot(db, userId, 5);
  await spendCredits({ userId, amount: 12, source: `generation:${userId}` }, db);
  await refundSpend({ source: `generation:${userId}`, amount: 3 }, db);
  return { userId, lotId };
}

const CONSTRAINTS = [
  ["credit_accounts", "credit_accounts_balance_not_negative"],
  ["credit_transactions", "credit_transactions_remaining_in_range"],
  ["credit_transactions", "credit_transactions_balance_after_not_negative"],
];

/**
 * Returns the findings after this SQL, with the database's own guards off, as after a careless
 * restore.
 */
async function findAfter(sql: string): Promise<string[]> {
  const { userId, lotId } = await createBusyUser();
  const found: string[] = [];
  const undo = new Error("undo");
  const attempt = ledger.db.$transaction(async (transaction) => {
    const run = (text: string) => transaction.$executeRawUnsafe(text);
    await run("SET LOCAL session_replication_role = replica");
    await run("DROP INDEX credit_transactions_source_key");
    for (const [table, name] of CONSTRAINTS)
      await run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    await run(sql.replaceAll(":user", `'${userId}'`).replaceAll(":lot", lotId));
    const faults = await listFaults([userId], transaction);
    found.push(...faults.map(({ rule }) => rule));
    throw undo;
  });
  await expect(attempt).rejects.toBe(undo);
  return [...new Set(found)].sort();
}

test("a ledger that only the ledger's own functions wrote has no faults", async () => {
  const { db } = ledger;
  for (let n = 0; n < 3; n += 1) await createBusyUser();
  const progress: number[] = [];
  const result = await auditLedger({ onProgress: (accounts) => progress.push(accounts) }, db);
  expect(result).toEqual({ accounts: 3, faults: 0 });
  expect(progress).toEqual([3]);
});

test("an audit goes through every account, whatever the number", async () => {
  const { db } = ledger;
  const before = await db.creditAccount.count();
  await db.$executeRaw`
    WITH person AS (
      INSERT INTO users (email) SELECT 'batch-' || n || '@example.com' FROM generate_series(1, 2500) n
      RETURNING id
    )
    INSERT INTO credit_accounts (user_id, balance) SELECT id, 0 FROM person`;
  const progress: number[] = [];
  await auditLedger({ onProgress: (accounts) => progress.push(accounts) }, db);
  expect(progress).toEqual([1_000, 2_000, before + 2_500]);
});

test("a bounded audit looks at the accounts of the newest rows only", async () => {
  const { db } = ledger;
  await createUserWith(db, 1);
  await createUserWith(db, 1, 1);
  expect(await auditLedger({ newestRows: 2 }, db)).toEqual({ accounts: 1, faults: 0 });
  expect(await auditLedger({ newestRows: 3 }, db)).toEqual({ accounts: 2, faults: 0 });
});

const SPEND = "(SELECT id FROM credit_transactions WHERE source = 'generation:' || :user)";
const REFUND =
  "(SELECT id FROM credit_transactions WHERE source LIKE 'generation:' || :user || ':refund')";
const NEW_ROW = `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source) SELECT :user`;

test.each([
  [
    "a balance raised",
    ["balance"],
    "UPDATE credit_accounts SET balance = balance + 1 WHERE user_id = :user",
  ],
  [
    "an account lost",
    ["balance", "next-expiry"],
    "DELETE FROM credit_accounts WHERE user_id = :user",
  ],
  [
    "a balance below zero",
    ["balance", "range"],
    "UPDATE credit_accounts SET balance = -1 WHERE user_id = :user",
  ],
  [
    "a next expiry that is wrong",
    ["next-expiry"],
    "UPDATE credit_accounts SET next_expiry_at = now() WHERE user_id = :user",
  ],
  [
    "a lot refilled",
    ["balance", "remaining"],
    "UPDATE credit_transactions SET remaining = remaining + 1 WHERE id = :lot",
  ],
  [
    "a lot below zero",
    ["balance", "next-expiry", "range", "remaining"],
    "UPDATE credit_transactions SET remaining = -1 WHERE id = :lot",
  ],
  [
    "an amount changed",
    ["allocations", "balance", "balance-after"],
    `UPDATE credit_transactions SET amount = amount - 1 WHERE id = ${SPEND}`,
  ],
  [
    "a balance after a row changed",
    ["balance-after"],
    `UPDATE credit_transactions SET balance_after = 0 WHERE id = ${SPEND}`,
  ],
  [
    "an allocation changed",
    ["allocations", "remaining"],
    `UPDATE credit_allocations SET amount = amount - 1 WHERE transaction_id = ${SPEND} AND lot_id = :lot`,
  ],
  [
    "the allocations lost",
    ["allocations", "refund", "remaining"],
    `DELETE FROM credit_allocations WHERE transaction_id = ${SPEND}`,
  ],
  [
    "a row lost",
    ["balance", "balance-after", "refund"],
    `DELETE FROM credit_transactions WHERE id = ${SPEND}`,
  ],
  [
    "a spend that gives to a lot",
    ["allocated-lot", "allocations", "refund", "remaining"],
    `UPDATE credit_allocations SET amount = 1 WHERE transaction_id = ${SPEND} AND lot_id = :lot`,
  ],
  [
    "a refund of more than was taken from a lot",
    ["allocations", "refund", "remaining"],
    `UPDATE credit_allocations SET amount = amount + 10 WHERE transaction_id = ${REFUND} AND lot_id = :lot`,
  ],
  [
    "a refund of nothing",
    ["refund"],
    `UPDATE credit_transactions SET source = 'generation:other:refund' WHERE id = ${REFUND}`,
  ],
  [
    "a source used twice",
    ["allocations", "balance", "balance-after", "source"],
    `${NEW_ROW}, 'deduction', -1, 0, source FROM credit_transactions WHERE id = ${SPEND}`,
  ],
  [
    "a lot that moves lots",
    ["allocated-lot", "allocations", "remaining"],
    "INSERT INTO credit_allocations SELECT :lot, id, 1 FROM credit_transactions WHERE id = :lot",
  ],
])("%s is found", async (_what, rules, sql) => {
  expect(await findAfter(sql)).toEqual(rules);
});

test("taking from another user's lot is a fault", async () => {
  const { db } = ledger;
  const other = await createBusyUser();
  expect(
    await findAfter(
      `UPDATE credit_allocations SET lot_id = ${other.lotId} WHERE lot_id = :lot AND amount < 0`,
    ),
  ).toEqual(["allocated-lot", "refund", "remaining"]);
  expect(await listFaults([other.userId], db)).toEqual([]);
});
