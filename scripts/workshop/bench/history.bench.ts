import { randomUUID } from "node:crypto";
import { connectDb } from "~/db.server";
import { spendCredits } from "~/models/credits/spends.server";
import { withClient } from "../../lib/with-client";
import { type Bench, inTurns, timed } from "./bench";
import type { BenchServer } from "./bench-server";
import { seedUsers } from "./seed-users";

const ROUNDS = 15;
const SPENDS_PER_ROUND = 200;
const OTHERS = 1_000;

/** Compares spends of a user with a long history in a large ledger with those of one in a small ledger. */
export const historyBench: Bench = {
  summary: "a spend with 10,000,000 ledger rows, 100,000 the user's, beside 10,000 and 100",
  async run({ server, scaled, onProgress }) {
    const make = async (rows: number, own: number) => {
      onProgress(`making ${rows} ledger rows, ${own} of them the user's`);
      const { url, userId } = await seedHistory(server, { rows, own });
      const db = connectDb(url);
      const spend = () =>
        spendCredits({ userId, amount: 1, source: `generation:${randomUUID()}` }, db);
      const time = async () => {
        const total = await timed(async () => {
          for (let n = 0; n < SPENDS_PER_ROUND; n += 1) await spend();
        });
        return total / SPENDS_PER_ROUND;
      };
      return { url, db, time };
    };
    const few = { rows: scaled(10_000, 1_000), own: scaled(100, 10) };
    const many = { rows: scaled(10_000_000, 10_000), own: scaled(100_000, 100) };
    const small = await make(few.rows, few.own);
    const large = await make(many.rows, many.own);
    const times = await inTurns({ rounds: ROUNDS, measure: large.time, reference: small.time });
    for (const { db, url } of [small, large]) {
      await db.$disconnect();
      await server.dropDatabase(url);
    }
    return [
      {
        what: `a spend among ${many.rows} rows, ${many.own} own`,
        against: `among ${few.rows} rows, ${few.own} own`,
        unit: "ms",
        goal: { atMost: 1.3 },
        ...times,
      },
    ];
  },
};

/** Fills a database with ledger rows of other users and of one user, who has three lots left. */
async function seedHistory(
  server: BenchServer,
  { rows, own }: { rows: number; own: number },
): Promise<{ url: string; userId: string }> {
  const url = await server.createDatabase();
  const [userId = "", ...others] = await seedUsers(url, OTHERS + 1);
  await withClient(url, async (client) => {
    // All references are to rows made here; checking them row by row would take most of the time.
    await client.query("SET session_replication_role = replica");
    const addPast = (users: string[], count: number, from: number) =>
      client.query(
        `INSERT INTO credit_transactions
           (user_id, type, amount, balance_after, source, remaining, expires_at)
         SELECT ($1::uuid[])[1 + n % $2::int],
           CASE n % 2 WHEN 0 THEN 'grant' ELSE 'deduction' END::credit_transaction_type,
           CASE n % 2 WHEN 0 THEN 1 ELSE -1 END, (n + 1) % 2,
           CASE n % 2 WHEN 0 THEN 'order:stripe:' ELSE 'generation:' END || n,
           CASE n % 2 WHEN 0 THEN 0 END, NULL
         FROM generate_series($3::bigint, $3::bigint + $4::bigint - 1) AS n`,
        [users, users.length, from, count],
      );
    await addPast(others, rows - own, 0);
    await addPast([userId], own - 3, rows);
    await client.query(
      `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining, expires_at)
       SELECT $1, 'grant', 100000000, n * 100000000, 'signup:' || n, 100000000,
         CASE n WHEN 1 THEN now() + interval '10 days' WHEN 2 THEN now() + interval '40 days' END
       FROM generate_series(1, 3) AS n`,
      [userId],
    );
    await client.query(
      `INSERT INTO credit_accounts (user_id, balance, next_expiry_at)
       SELECT $1, 300000000, min(expires_at) FROM credit_transactions WHERE user_id = $1`,
      [userId],
    );
    await client.query("VACUUM ANALYZE");
  });
  return { url, userId };
}
