import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE, creditsFor } from "~/catalog";
import type { Database } from "~/db.server";
import { spendCredits } from "~/models/credits/spends.server";
import { refundRun } from "~/models/metering/settle.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";
import { chargeImages, settleImages } from "../../helpers/image-runs";
import { openSession } from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

setUpBillingEnv();
const ledger = openLedger();

const FOLDER = "prisma/migrations";
const FIRST = "20261125162953_metered_runs.sql";
const KEYS = "20261126092252_api_keys.sql";
const USER = "00000000-0000-4000-8000-000000000001";
const REQUEST = { prompt: "a lake", n: 2, size: "square" } as const;
const COST = creditsFor("image", REQUEST.n);
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };

/** Rows as the version before writes them: a charge, a success and a refund. */
const before = {
  async charge(db: Database, userId: string, key: string | null = null): Promise<string> {
    const id = randomUUID();
    await db.$transaction(async (transaction) => {
      const source = `generation:${id}`;
      await spendCredits({ userId, amount: COST, source, reference: id }, transaction);
      await transaction.$executeRaw`
        INSERT INTO image_generations
          (id, user_id, idempotency_key, request_hash, prompt, n, size, cost, lease_until)
        VALUES (${id}::uuid, ${userId}::uuid, ${key}, 'hash', 'a lake', 2, 'square', ${COST},
          now() + interval '1 hour')`;
    });
    return id;
  },
  succeed: (db: Database, id: string) => db.$executeRaw`
    UPDATE image_generations SET status = 'succeeded', provider = 'fal',
      images = ${JSON.stringify([IMAGE, IMAGE])}::jsonb, credits_charged = ${COST}, balance_after = 30,
      settled_at = now()
    WHERE id = ${id}::uuid AND status = 'charged' AND cost <= ${COST}`,
  /** Its refund of credits is the same function's, so only the row is written here. */
  refund: (db: Database, id: string) => db.$executeRaw`
    UPDATE image_generations SET status = 'refunded', error = 'generation_failed', settled_at = now()
    WHERE id = ${id}::uuid AND status = 'charged'`,
};

const runOf = (id: string) => ledger.db.meteredRun.findUniqueOrThrow({ where: { id } });
const rowOf = (id: string) => ledger.db.imageGeneration.findUniqueOrThrow({ where: { id } });

test("generations made before become runs, whatever their state", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  const run = (file: string) => session.query(readFileSync(`${FOLDER}/${file}`, "utf8"));
  for (const file of files.filter((name) => name < FIRST)) await run(file);
  await session.query(`
    INSERT INTO users (id, email, locale) VALUES ('${USER}', 'a@example.com', 'en');
    INSERT INTO credit_accounts (user_id) VALUES ('${USER}');
    INSERT INTO image_generations (user_id, idempotency_key, request_hash, prompt, n, size, cost, status,
      provider, images, credits_charged, balance_after, error, lease_until, created_at, settled_at)
    VALUES
      ('${USER}', 'a', 'h1', 'a lake', 2, 'square', 20, 'charged', NULL, '[]', 0, NULL, NULL,
        '2026-01-01', '2026-01-01', NULL),
      ('${USER}', NULL, 'h2', 'a sea', 3, 'square', 30, 'succeeded', 'fal', '[{}, {}]', 20, 5, NULL,
        '2026-01-02', '2026-01-02', '2026-01-03'),
      ('${USER}', NULL, 'h3', 'a bay', 1, 'square', 10, 'refunded', NULL, '[]', 0, 9, 'generation_failed',
        '2026-01-04', '2026-01-04', '2026-01-05')`);
  for (const file of files.filter((name) => name >= FIRST)) await run(file);
  const { rows } = await session.query(`
    SELECT action, status, unit_credits, units_reserved, units_used, credits_reserved, credits_charged,
      idempotency_key, request_hash, balance_after, error
    FROM metered_runs WHERE account_id = '${USER}' AND actor_id = '${USER}' ORDER BY created_at`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["image", "reserved", 10, 2, 0, 20, 0, "a", "h1", null, null],
    ["image", "settled", 10, 3, 2, 30, 20, null, "h2", 5, null],
    ["image", "refunded", 10, 1, 0, 10, 0, null, "h3", 9, "generation_failed"],
  ]);
});

test("no migration of keys and usage deadlocks with a refund that is under way, and each run is counted once", async () => {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  const refund = await openSession(databaseUrl);
  const watcher = await openSession(databaseUrl);
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
  const read = (file: string) => readFileSync(`${FOLDER}/${file}`, "utf8");
  for (const file of files.filter((name) => name < KEYS)) await session.query(read(file));
  await session.query(`
    INSERT INTO users (id, email, locale) VALUES ('${USER}', 'a@example.com', 'en');
    INSERT INTO credit_accounts (user_id) VALUES ('${USER}');
    INSERT INTO image_generations (user_id, request_hash, prompt, n, size, cost, lease_until)
    VALUES ('${USER}', 'h', 'a lake', 2, 'square', 20, now())`);
  const { rows: own } = await session.query("SELECT pg_backend_pid() AS pid");
  const isWaiting = async () => {
    const { rows } = await watcher.query(
      "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'",
      [own[0].pid],
    );
    return rows.length > 0;
  };
  for (const file of files.filter((name) => name >= KEYS)) {
    await refund.query(`BEGIN; UPDATE metered_runs SET units_used = units_used`);
    let isDone = false;
    const migrated = session.query(read(file)).then(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await isWaiting())).toBe(true);
    await refund.query("UPDATE credit_accounts SET balance = balance; COMMIT");
    await migrated;
  }
  const { rows } = await session.query("SELECT api_key_id, credits::int FROM usage_months");
  expect(rows).toEqual([{ api_key_id: null, credits: 20 }]);
});

test("beside the version before: what either writes, both read", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 5 * COST);
  const theirs = await before.charge(db, userId, "key");
  expect(await runOf(theirs)).toMatchObject({ status: "reserved", idempotencyKey: "key" });
  await before.succeed(db, theirs);
  expect(await runOf(theirs)).toMatchObject({
    status: "settled",
    creditsCharged: COST,
    unitsUsed: 2,
  });

  const ours = await chargeImages(db, userId, REQUEST);
  expect(await rowOf(ours)).toMatchObject({ status: "charged", userId, cost: COST });
  await settleImages(db, ours, [IMAGE]);
  expect(await rowOf(ours)).toMatchObject({
    status: "succeeded",
    creditsCharged: CREDITS_PER_IMAGE,
  });

  const refunded = await chargeImages(db, userId, REQUEST);
  await settleImages(db, refunded, []);
  expect(await rowOf(refunded)).toMatchObject({
    status: "refunded",
    balanceAfter: 4 * COST - CREDITS_PER_IMAGE,
  });
  expect(await listAllFaults([userId], db)).toEqual([]);
});

test("a run ends once, whichever versions try to end it at the same time", async () => {
  const { db } = ledger;
  for (let round = 0; round < 20; round += 1) {
    const userId = await createUserWith(db, 2 * COST);
    const id =
      round % 2 ? await before.charge(db, userId) : await chargeImages(db, userId, REQUEST);
    await Promise.allSettled([
      before.succeed(db, id),
      refundRun({ runId: id, error: "generation_failed" }, db),
    ]);
    const [run, row] = [await runOf(id), await rowOf(id)];
    expect([run.status, row.status, run.creditsCharged]).toEqual(
      run.status === "settled" ? ["settled", "succeeded", COST] : ["refunded", "refunded", 0],
    );
    expect(await listAllFaults([userId], db)).toEqual([]);
  }
});

test("a generation of a killed process of the version before is refunded by this one", async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, 2 * COST);
  const id = await before.charge(db, userId);
  await db.$executeRaw`UPDATE image_generations SET lease_until = now() WHERE id = ${id}::uuid`;
  expect(await endStaleRuns({ limit: 10 }, db)).toBe(1);
  expect(await rowOf(id)).toMatchObject({ status: "refunded" });
  expect(await before.refund(db, id)).toBe(0);
  expect(await listAllFaults([userId], db)).toEqual([]);
});
