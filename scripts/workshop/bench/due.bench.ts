import type pg from "pg";
import { connectDb, type Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { withClient } from "../../lib/with-client";
import { type Bench, median, spreadOf, timed } from "./bench";
import { seedSubscriptions } from "./seed-subscriptions";

const DUE = 1_000;
const FEW = 10_000;
const MANY = 1_000_000;
const REPETITIONS = 25;

/**
 * Compares granting the same number of due subscriptions among few and among many others. The runs
 * alternate; medians count.
 */
export const dueBench: Bench = {
  summary: "1,000 due among 1,000,000 subscriptions, beside 1,000 due among 10,000",
  async run({ server, scaled, onProgress }) {
    const due = scaled(DUE, 10);
    const fewCount = scaled(FEW, 2 * due);
    const manyCount = scaled(MANY, 4 * due);
    const make = async (subscriptions: number) => {
      onProgress(`making ${subscriptions} subscriptions`);
      const url = await server.createDatabase();
      await seedSubscriptions(url, { subscriptions, due: 0 });
      return { url, db: connectDb(url), times: [] as number[] };
    };
    const few = await make(fewCount);
    const many = await make(manyCount);
    try {
      // The first run of each loads and compiles, so it isn't counted.
      for (let repetition = 0; repetition <= REPETITIONS; repetition += 1) {
        for (const { url, db, times } of [few, many]) {
          await withClient(url, (client) => makeDue(client, due));
          const milliseconds = await timed(() => grantAll(db, due));
          if (repetition > 0) times.push(milliseconds);
        }
        if (repetition > 0) {
          onProgress(`repetition ${repetition}: ${last(few.times)} and ${last(many.times)}`);
        }
      }
    } finally {
      await Promise.all([few.db.$disconnect(), many.db.$disconnect()]);
    }
    await server.dropDatabase(few.url);
    await server.dropDatabase(many.url);
    return [
      {
        what: `${due} due among ${manyCount}`,
        against: `${due} due among ${fewCount}`,
        unit: "ms",
        measured: spreadOf(many.times),
        reference: spreadOf(few.times),
        ratio: median(many.times) / median(few.times),
        goal: { atMost: 1.5 },
      },
    ];
  },
};

const last = (times: number[]) => `${Math.round(times.at(-1) ?? Number.NaN)} ms`;

async function grantAll(db: Database, due: number): Promise<void> {
  const { grants } = await runDueGrants({}, db);
  if (grants !== due) throw new Error(`${grants} of ${due} subscriptions were granted`);
}

/** Makes random rows due, each time with a boundary that none of them had before. */
async function makeDue(client: pg.Client, due: number): Promise<void> {
  await client.query(
    `WITH moved AS (
       UPDATE subscriptions SET grant_anchor_at = boundary, next_grant_at = boundary,
         grants_issued = 0, grant_period_id = id, paid_until = boundary + interval '1 year'
       FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS boundary) AS start
       WHERE id IN (SELECT id FROM subscriptions WHERE next_grant_at > now()
         ORDER BY random() LIMIT $1::int)
       RETURNING id, grant_anchor_at, paid_until
     )
     UPDATE subscription_periods paid SET starts_at = grant_anchor_at, ends_at = paid_until,
       anchor_offset = NULL, granted_for = NULL
     FROM moved WHERE paid.id = moved.id`,
    [due],
  );
}
