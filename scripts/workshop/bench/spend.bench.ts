import { randomUUID } from "node:crypto";
import pg from "pg";
import { connectDb } from "~/db.server";
import { spendCredits } from "~/models/credits/spends.server";
import { withClient } from "../../lib/with-client";
import { type Bench, type Figure, inTurns } from "./bench";
import { seedUsers } from "./seed-users";

const PARALLEL = 16;
const ACCOUNTS = 1_000;
const ROUNDS = 5;

/** Compares spends, over many accounts and on one, with one statement that writes the same rows. */
export const spendsBench: Bench = {
  summary: "spends, 16 at a time, compared with one hand-written SQL statement per spend",
  async run({ server, scaled, onProgress }) {
    const accounts = scaled(ACCOUNTS, 2);
    const milliseconds = scaled(3_000, 100);
    const url = await server.createDatabase();
    const users = await seedUsers(url, accounts);
    await seedLots(url);
    const figures: Figure[] = [];
    for (const userIds of [users, users.slice(0, 1)]) {
      const where = userIds.length > 1 ? `over ${accounts} accounts` : "on one account";
      onProgress(`spending ${where}`);
      const rates = await measureSpends({ url, userIds, milliseconds, rounds: ROUNDS });
      figures.push({
        what: `spends ${where}`,
        against: "one statement each",
        unit: "/s",
        goal: { atLeast: 0.8 },
        ...rates,
      });
    }
    await server.dropDatabase(url);
    return figures;
  },
};

/** Measures spends and the baseline's statements over these users, in turns. */
export async function measureSpends({
  url,
  userIds,
  milliseconds,
  rounds,
}: {
  url: string;
  userIds: string[];
  milliseconds: number;
  rounds: number;
}) {
  const db = connectDb(url);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Its connections may still be closing when the database is dropped.
  pool.on("error", () => {});
  const source = () => `generation:${randomUUID()}`;
  const spend = (userId: string) => spendCredits({ userId, amount: 1, source: source() }, db);
  const byHand = (userId: string) =>
    pool.query({ name: "spend", text: STATEMENT, values: [userId, 1, source()] });
  try {
    return await inTurns({
      rounds,
      measure: () => rateOf(spend, userIds, milliseconds),
      reference: () => rateOf(byHand, userIds, milliseconds),
    });
  } finally {
    await Promise.all([db.$disconnect(), pool.end()]);
  }
}

/**
 * The baseline: the same rows with the same values, for a spend that fits into the lot that burns first.
 * It doesn't see a lot that another spend emptied meanwhile, an expiry that is due, or a source used
 * before.
 */
const STATEMENT = `
  WITH account AS (
    UPDATE credit_accounts SET balance = balance - $2 WHERE user_id = $1 AND balance >= $2
    RETURNING user_id, balance
  ),
  deduction AS (
    INSERT INTO credit_transactions (user_id, type, amount, balance_after, source)
    SELECT user_id, 'deduction', -$2::int, balance, $3 FROM account RETURNING id
  ),
  lot AS (
    UPDATE credit_transactions SET remaining = remaining - $2 WHERE id = (
      SELECT id FROM credit_transactions WHERE user_id = $1 AND remaining > 0
      ORDER BY expires_at, id LIMIT 1)
    RETURNING id
  )
  INSERT INTO credit_allocations (transaction_id, lot_id, amount)
  SELECT deduction.id, lot.id, -$2::int FROM deduction, lot`;

/** Gives each user a lot that expires soon, one that expires later and one that never does. */
export function seedLots(databaseUrl: string): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    await client.query(
      `INSERT INTO credit_accounts (user_id, balance, next_expiry_at)
       SELECT id, 300000000, now() + interval '10 days' FROM users`,
    );
    await client.query(
      `INSERT INTO credit_transactions
         (user_id, type, amount, balance_after, source, remaining, expires_at)
       SELECT users.id, 'grant', 100000000, n * 100000000, format('signup:%s:%s', users.id, n),
         100000000, (SELECT next_expiry_at FROM credit_accounts WHERE user_id = users.id)
           + CASE n WHEN 1 THEN interval '0' WHEN 2 THEN interval '30 days' END
       FROM users, generate_series(1, 3) AS n ORDER BY users.id, n`,
    );
    await client.query("VACUUM ANALYZE");
  });
}

/** Runs the work for the users in turn, 16 at a time. Returns how often per second. */
export async function rateOf(
  work: (userId: string) => Promise<unknown>,
  userIds: string[],
  milliseconds: number,
): Promise<number> {
  const start = performance.now();
  let done = 0;
  const worker = async (_: unknown, index: number) => {
    for (let turn = index; performance.now() - start < milliseconds; turn += PARALLEL) {
      await work(userIds[turn % userIds.length] ?? "");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return (done / (performance.now() - start)) * 1000;
}
