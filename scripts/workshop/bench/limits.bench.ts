import { randomUUID } from "node:crypto";
import { creditsFor } from "~/catalog";
import { connectDb } from "~/db.server";
import { imageRun } from "~/models/images/generate-images.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { withClient } from "../../lib/with-client";
import { type Bench, inTurns, timed } from "./bench";
import { seedUsers } from "./seed-users";
import { seedLots } from "./spend.bench";

const ROUNDS = 15;
const RUNS_PER_ROUND = 200;
const BATCH = 500;
const REQUEST = { prompt: "a lighthouse at dusk", n: 1, size: "square" } as const;
const COST = creditsFor("image", REQUEST.n);

/** Compares reserving a run within limits after many runs of the month with the same after a few. */
export const limitsBench: Bench = {
  summary: "a run reserved within limits after 100,000 of the month, beside one after 10",
  async run({ server, scaled, onProgress }) {
    const url = await server.createDatabase();
    Object.assign(process.env, {
      DATABASE_URL: url,
      AUTH_SECRET: randomUUID() + randomUUID(),
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
    });
    const many = scaled(100_000, 100);
    // An account for each round, so that what a round adds doesn't count in the next.
    const [busy = "", ...quiet] = await seedUsers(url, ROUNDS + 2);
    await seedLots(url);
    onProgress(`making ${many} runs of this month`);
    const keys = await seedMonth(url, { busy, many, few: 10 });
    const db = connectDb(url);
    const time = async (userId: string) => {
      const apiKeyId = keys.get(userId) ?? null;
      const total = await timed(async () => {
        for (let n = 0; n < RUNS_PER_ROUND; n += 1) {
          const run = imageRun({ userId, apiKeyId, request: REQUEST, idempotencyKey: null });
          const reserved = await reserveRun(reservationOf("image", run), db);
          if (reserved.status !== "reserved")
            throw new Error(`a reservation was ${reserved.status}`);
        }
      });
      return total / RUNS_PER_ROUND;
    };
    try {
      const times = await inTurns({
        rounds: ROUNDS,
        measure: () => time(busy),
        reference: () => time(quiet.pop() ?? busy),
      });
      return [
        {
          what: `a run reserved after ${many} of the month`,
          against: "after 10",
          unit: "ms",
          goal: { atMost: 1.2 },
          ...times,
        },
      ];
    } finally {
      await db.$disconnect();
      await server.dropDatabase(url);
    }
  },
};

/** Gives each user a key, limits that are far away, and settled runs of this month. Returns the keys' ids by user. */
async function seedMonth(
  url: string,
  { busy, many, few }: { busy: string; many: number; few: number },
): Promise<Map<string, string>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ userId: string; id: string }>(
      `INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes, monthly_limit)
       SELECT id, id, 'bench', 'rcs_test_', sha256(id::text::bytea), '{generate}', 1000000000 FROM users
       RETURNING account_id AS "userId", id`,
    );
    await client.query(
      `INSERT INTO account_settings (account_id, monthly_limit, low_balance_credits)
       SELECT id, 1000000000, 1 FROM users`,
    );
    const seedRuns = (account: string, count: number) =>
      client.query(
        `INSERT INTO metered_runs (id, account_id, actor_id, api_key_id, action, request_hash, unit_credits,
           unit_size, least_credits, units_reserved, units_used, credits_reserved, credits_charged, status,
           lease_until, deadline_at, settled_at)
         SELECT gen_random_uuid(), account_id, account_id, id, 'image', '', $3, 1, $3, 1, 1, $3, $3, 'settled',
           now(), now(), now()
         FROM api_keys, generate_series(1, $2::int) WHERE account_id = $1`,
        [account, count, COST],
      );
    for (const { userId } of rows) if (userId !== busy) await seedRuns(userId, few);
    // A trigger adds each run to the month's sum: one transaction would leave a version of that row for each.
    for (let made = 0; made < many; made += BATCH)
      await seedRuns(busy, Math.min(BATCH, many - made));
    await client.query("VACUUM ANALYZE");
    return new Map(rows.map(({ userId, id }) => [userId, id]));
  });
}
