import { expect } from "vitest";
import type { ServerUnderTest } from "./with-test-server";

/** Gives a user credits by an operator's adjustment. Returns nothing. */
export async function giveCredits(app: ServerUnderTest, email: string, amount: number) {
  await app.sql(
    `WITH person AS (SELECT id FROM users WHERE email = $1),
     account AS (
       INSERT INTO credit_accounts (user_id, balance) SELECT id, $2 FROM person
       ON CONFLICT (user_id) DO UPDATE SET balance = credit_accounts.balance + $2
       RETURNING user_id, balance)
     INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining)
     SELECT user_id, 'adjustment', $2, balance, 'adjustment:test-' || gen_random_uuid(), $2 FROM account`,
    [email, amount],
  );
}

/** Returns the user's ledger, oldest first: type and amount. */
export async function ledgerOf(app: ServerUnderTest, email: string): Promise<[string, number][]> {
  const rows = await app.sql<{ type: string; amount: number }>(
    `SELECT type, amount FROM credit_transactions JOIN users ON users.id = user_id
     WHERE email = $1 ORDER BY credit_transactions.id`,
    [email],
  );
  return rows.map(({ type, amount }) => [type, amount]);
}

/** Expects balance, rows and lots to agree for every user in the database. */
export async function expectSoundLedger(app: ServerUnderTest): Promise<void> {
  const faults = await app.sql(
    `SELECT a.user_id, a.balance, rows.total, lots.remaining
     FROM credit_accounts a
     LEFT JOIN LATERAL (SELECT coalesce(sum(amount), 0)::int AS total FROM credit_transactions t
       WHERE t.user_id = a.user_id) rows ON true
     LEFT JOIN LATERAL (SELECT coalesce(sum(remaining), 0)::int AS remaining FROM credit_transactions t
       WHERE t.user_id = a.user_id) lots ON true
     WHERE a.balance <> rows.total OR a.balance <> lots.remaining OR a.balance < 0`,
  );
  expect(faults).toEqual([]);
}
