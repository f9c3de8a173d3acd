import { randomUUID } from "node:crypto";
import pg from "pg";
import { creditsFor } from "~/catalog";
import { connectDb } from "~/db.server";
import { imageRun } from "~/models/images/generate-images.server";
import { keepImages } from "~/models/images/keep-images.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { settleRun } from "~/models/metering/settle.server";
import { type Bench, type Figure, inTurns } from "./bench";
import { seedUsers } from "./seed-users";
import { rateOf, seedLots } from "./spend.bench";

const ACCOUNTS = 1_000;
const ROUNDS = 5;
const REQUEST = { prompt: "a lighthouse at dusk", n: 1, size: "square" } as const;
const IMAGES = [{ url: "https://images.test/1.png", persisted: false, fileId: null }];

/** Compares reserving and settling a run for an image with one statement each that writes the same rows. */
export const meteringBench: Bench = {
  summary:
    "reserving and settling runs, 16 at a time, compared with one hand-written statement each",
  async run({ server, scaled, onProgress }) {
    const milliseconds = scaled(3_000, 100);
    const url = await server.createDatabase();
    // A run's deadline is configured.
    Object.assign(process.env, {
      DATABASE_URL: url,
      AUTH_SECRET: randomUUID() + randomUUID(),
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
    });
    const userIds = await seedUsers(url, scaled(ACCOUNTS, 2));
    await seedLots(url);
    const db = connectDb(url);
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    // Its connections may still be closing when the database is dropped.
    pool.on("error", () => {});
    const reserve = async (userId: string) => {
      const reserved = await reserveRun(
        reservationOf("image", imageRun({ userId, request: REQUEST, idempotencyKey: null })),
        db,
      );
      if (reserved.status !== "reserved") throw new Error(`a reservation was ${reserved.status}`);
      return reserved.runId;
    };
    const reserveByHand = async (userId: string) => {
      const id = randomUUID();
      const values = [userId, creditsFor("image", REQUEST.n), id, REQUEST.prompt];
      await pool.query({ name: "reserve", text: RESERVE, values });
      return id;
    };
    const settle = (runId: string) =>
      settleRun(
        {
          runId,
          unitsUsed: IMAGES.length,
          provider: "fal",
          model: null,
          costUsdMicros: null,
          own: keepImages(IMAGES),
        },
        db,
      );
    const settleByHand = (runId: string) =>
      pool.query({ name: "settle", text: SETTLE, values: [runId, JSON.stringify(IMAGES)] });
    try {
      onProgress("reserving");
      const reserving = await inTurns({
        rounds: ROUNDS,
        measure: () => rateOf(reserve, userIds, milliseconds),
        reference: () => rateOf(reserveByHand, userIds, milliseconds),
      });
      onProgress("reserving and settling");
      const both = await inTurns({
        rounds: ROUNDS,
        measure: () => rateOf(async (user) => settle(await reserve(user)), userIds, milliseconds),
        reference: () =>
          rateOf(async (user) => settleByHand(await reserveByHand(user)), userIds, milliseconds),
      });
      const figure = { against: "one statement each", unit: "/s", goal: { atLeast: 0.8 } } as const;
      return [
        { what: "runs reserved", ...figure, ...reserving },
        { what: "runs reserved and settled", ...figure, ...both },
      ] satisfies Figure[];
    } finally {
      await Promise.all([db.$disconnect(), pool.end()]);
      await server.dropDatabase(url);
    }
  },
};

/**
 * The baseline of a reservation: the same rows with the same values, for a spend that fits into the lot
 * that burns first. It sees no other spend, no expiry and no key that is taken.
 */
const RESERVE = `
  WITH account AS (
    UPDATE credit_accounts SET balance = balance - $2 WHERE user_id = $1 AND balance >= $2
    RETURNING user_id, balance
  ),
  deduction AS (
    INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, reference)
    SELECT user_id, 'deduction', -$2::int, balance, 'generation:' || $3, $3 FROM account RETURNING id
  ),
  lot AS (
    UPDATE credit_transactions SET remaining = remaining - $2 WHERE id = (
      SELECT id FROM credit_transactions WHERE user_id = $1 AND remaining > 0
      ORDER BY expires_at, id LIMIT 1)
    RETURNING id
  ),
  allocation AS (
    INSERT INTO credit_allocations (transaction_id, lot_id, amount)
    SELECT deduction.id, lot.id, -$2::int FROM deduction, lot
  ),
  run AS (
    INSERT INTO metered_runs (id, account_id, actor_id, action, request_hash, unit_credits, unit_size,
      least_credits, units_reserved, credits_reserved, lease_until, deadline_at)
    SELECT $3::uuid, user_id, user_id, 'image', 'a hash of forty-three characters, as it is', $2, 1, $2,
      1, $2, now() + interval '5 minutes', now() + interval '5 minutes'
    FROM account RETURNING id
  )
  INSERT INTO image_generations (id, prompt, n, size) SELECT id, $4, 1, 'square' FROM run`;

/** The baseline of a settlement. */
const SETTLE = `
  WITH run AS (
    UPDATE metered_runs SET status = 'settled', units_used = 1, credits_charged = credits_reserved,
      provider = 'fal', balance_after = (SELECT balance FROM credit_accounts WHERE user_id = account_id),
      settled_at = now()
    WHERE id = $1 RETURNING id
  )
  UPDATE image_generations image SET images = $2 FROM run WHERE image.id = run.id`;
