import { expect, test } from "vitest";
import { spendCredits } from "~/models/credits/spends.server";
import { createLot, createUser, HOUR, openLedger } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";

const ledger = openLedger();

/** A session of an attacker or a tired operator, with a user who had 10 credits and spent 4. */
async function openRaw() {
  const { db, url } = ledger;
  const userId = await createUser(db);
  const lotId = await createLot(db, userId, 10, HOUR);
  await spendCredits({ userId, amount: 4, source: `generation:${userId}` }, db);
  const session = await openSession(url);
  const run = (sql: string) =>
    session.query(sql.replaceAll(":user", `'${userId}'`).replaceAll(":lot", lotId));
  return { run };
}

const NEW_ROW = "INSERT INTO credit_transactions (user_id, type, amount, balance_after, source";

test.each([
  [
    "to overdraw a balance",
    "UPDATE credit_accounts SET balance = balance - 7 WHERE user_id = :user",
    "credit_accounts_balance_not_negative",
  ],
  [
    "to overdraw a lot",
    "UPDATE credit_transactions SET remaining = remaining - 7 WHERE id = :lot",
    "credit_transactions_remaining_in_range",
  ],
  [
    "to fill a lot beyond what was granted",
    "UPDATE credit_transactions SET remaining = 11 WHERE id = :lot",
    "credit_transactions_remaining_in_range",
  ],
  [
    "to record a balance below zero",
    `${NEW_ROW}) VALUES (:user, 'deduction', -7, -1, 'generation:raw')`,
    "credit_transactions_balance_after_not_negative",
  ],
  [
    "to use a source twice",
    `${NEW_ROW}) SELECT user_id, type, amount, balance_after, source FROM credit_transactions WHERE user_id = :user AND type = 'deduction'`,
    "credit_transactions_source_key",
  ],
  [
    "to write a row without a source",
    `${NEW_ROW}) VALUES (:user, 'deduction', -1, 5, ' ')`,
    "credit_transactions_source_shape",
  ],
  [
    "to name a refund after no spend",
    `${NEW_ROW}) VALUES (:user, 'refund', 1, 7, 'generation:raw')`,
    "credit_transactions_source_shape",
  ],
  [
    "to name an expiry after no lot",
    `${NEW_ROW}) VALUES (:user, 'expiry', -1, 5, 'expiry:x:1')`,
    "credit_transactions_source_shape",
  ],
  ...["grant", "refund"].map((type) => [
    `to book a ${type} that takes`,
    `${NEW_ROW}) VALUES (:user, '${type}', -1, 5, 'raw:refund')`,
    "credit_transactions_amount_sign",
  ]),
  ...["deduction", "reversal", "expiry"].map((type) => [
    `to book a ${type} that gives`,
    `${NEW_ROW}) VALUES (:user, '${type}', 1, 7, 'expiry:1:1')`,
    "credit_transactions_amount_sign",
  ]),
  [
    "to adjust by nothing",
    `${NEW_ROW}) VALUES (:user, 'adjustment', 0, 6, 'adjustment:raw')`,
    "credit_transactions_amount_sign",
  ],
  [
    "to grant without a lot",
    `${NEW_ROW}) VALUES (:user, 'grant', 1, 7, 'order:raw')`,
    "credit_transactions_remaining_on_lots",
  ],
  [
    "to make a lot of a refund",
    `${NEW_ROW}, remaining) VALUES (:user, 'refund', 1, 7, 'generation:raw:refund', 1)`,
    "credit_transactions_remaining_on_lots",
  ],
  [
    "to let a spend expire",
    `${NEW_ROW}, expires_at) VALUES (:user, 'deduction', -1, 5, 'generation:raw', now())`,
    "credit_transactions_expires_at_on_lots",
  ],
  [
    "to allocate nothing",
    "INSERT INTO credit_allocations SELECT id, :lot, 0 FROM credit_transactions WHERE id = :lot",
    "credit_allocations_amount_not_zero",
  ],
  [
    "to allocate to a row that is not there",
    "INSERT INTO credit_allocations VALUES (:lot, 0, 1)",
    "credit_allocations_lot_id_fkey",
  ],
  ...[
    "amount = amount + 1",
    "balance_after = 0",
    "source = 'generation:other'",
    "type = 'adjustment'",
    "user_id = gen_random_uuid()",
    "description = 'rewritten'",
    "reference = 'rewritten'",
    "created_at = now() - interval '1 day'",
    "expires_at = expires_at + interval '1 day'",
    "expires_at = now() - interval '1 day'",
    "expires_at = NULL",
    "revived_at = now()",
    "expires_at = now() + interval '1 day', revived_at = now()",
  ].map((set) => [
    `to set ${set}`,
    `UPDATE credit_transactions SET ${set} WHERE user_id = :user AND type = 'grant'`,
    "credit_transactions_history",
  ]),
  [
    "to delete from the ledger",
    "DELETE FROM credit_transactions WHERE user_id = :user",
    "credit_transactions_append_only",
  ],
  [
    "to empty the ledger",
    "TRUNCATE credit_transactions CASCADE",
    "credit_transactions_append_only",
  ],
  [
    "to change an allocation",
    "UPDATE credit_allocations SET amount = amount - 1 WHERE lot_id = :lot",
    "credit_allocations_append_only",
  ],
  [
    "to delete an allocation",
    "DELETE FROM credit_allocations WHERE lot_id = :lot",
    "credit_allocations_append_only",
  ],
  ["to empty the allocations", "TRUNCATE credit_allocations", "credit_allocations_append_only"],
  [
    "to delete a user who has a history",
    "DELETE FROM users WHERE id = :user",
    "credit_accounts_user_id_fkey",
  ],
])("the database refuses %s", async (_what, sql = "", constraint) => {
  const { run } = await openRaw();
  await expect(run(sql)).rejects.toMatchObject({ constraint });
});

test("an expired lot may only get a later expiry, once, and with its mark", async () => {
  const { run } = await openRaw();
  const setExpiry = (time: string, mark = "revived_at = now()") =>
    run(`UPDATE credit_transactions SET expires_at = ${time}, ${mark} WHERE id = :lot`);
  const end = async () => {
    await run("SET session_replication_role = replica");
    await setExpiry("now() - interval '1 hour'", "remaining = remaining");
    await run("SET session_replication_role = origin");
  };
  const refused = { constraint: "credit_transactions_history" };
  await end();
  for (const time of ["NULL", "now() - interval '2 hours'"])
    await expect(setExpiry(time)).rejects.toMatchObject(refused);
  const later = "now() + interval '1 day'";
  await expect(setExpiry(later, "remaining = remaining")).rejects.toMatchObject(refused);
  await setExpiry(later);
  await expect(setExpiry("now() + interval '2 days'")).rejects.toMatchObject(refused);
  await end();
  await expect(setExpiry(later)).rejects.toMatchObject(refused);
});
