import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { creditsFor } from "~/catalog";
import { connectDb, type Database } from "~/db.server";
import { deleteAccount } from "~/models/accounts/deletion.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith } from "../../helpers/credits";
import { chargeImages, settleImages } from "../../helpers/image-runs";
import { openSession } from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

setUpBillingEnv();

const FOLDER = "prisma/migrations";
const FIRST = "20261125162953_metered_runs.sql";
const KEYS = "20261126092252_api_keys.sql";
/** From here on image_generations loses what the runs have. */
const CONTRACT = "20261126162501_images_with_data.sql";
const CONTRACTED = "20261126162505_images_without_runs.sql";
const USER = "00000000-0000-4000-8000-000000000001";
const REQUEST = { prompt: "a lake", n: 2, size: "square" } as const;

const FILES = readdirSync(FOLDER).filter((file) => file.endsWith(".sql"));
const readMigration = (file: string) => readFileSync(`${FOLDER}/${file}`, "utf8");

/** A database that has the migrations before this one, and a session that can apply the others. */
async function openBefore(first: string) {
  const databaseUrl = await createEmptyDatabase();
  const session = await openSession(databaseUrl);
  for (const file of FILES.filter((name) => name < first)) await session.query(readMigration(file));
  return { databaseUrl, session, left: FILES.filter((name) => name >= first) };
}

test("generations made before become runs, whatever their state", async () => {
  const { session, left } = await openBefore(FIRST);
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
  for (const file of left) await session.query(readMigration(file));
  const { rows } = await session.query(`
    SELECT action, status, unit_credits, units_reserved, units_used, credits_reserved, credits_charged,
      idempotency_key, request_hash, balance_after, error, prompt, n, size, jsonb_array_length(images)
    FROM metered_runs JOIN image_generations USING (id)
    WHERE account_id = '${USER}' AND actor_id = '${USER}' ORDER BY created_at`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["image", "reserved", 10, 2, 0, 20, 0, "a", "h1", null, null, "a lake", 2, "square", 0],
    ["image", "settled", 10, 3, 2, 30, 20, null, "h2", 5, null, "a sea", 3, "square", 2],
    [
      "image",
      "refunded",
      10,
      1,
      0,
      10,
      0,
      null,
      "h3",
      9,
      "generation_failed",
      "a bay",
      1,
      "square",
      0,
    ],
  ]);
});

/** A transaction's steps before a migration begins, and those while the migration waits. */
const UNDER_WAY = {
  "a refund": [
    "UPDATE metered_runs SET status = status",
    `UPDATE credit_accounts SET balance = balance;
     SELECT 1 FROM users WHERE id = '${USER}' FOR KEY SHARE`,
  ],
  "a reservation": [
    `SELECT 1 FROM credit_accounts FOR UPDATE;
     SELECT 1 FROM users WHERE id = '${USER}' FOR KEY SHARE`,
    `WITH run AS (
       INSERT INTO metered_runs (id, account_id, actor_id, action, request_hash, unit_credits, unit_size,
         least_credits, units_reserved, credits_reserved, lease_until, deadline_at)
       SELECT gen_random_uuid(), id, id, 'image', 'h', 10, 1, 10, 1, 10, now(), now() FROM users RETURNING id)
     INSERT INTO image_generations (id, prompt, n, size) SELECT id, 'a sea', 1, 'square' FROM run`,
  ],
  "a settlement": [
    "UPDATE metered_runs SET units_used = units_used",
    "UPDATE image_generations SET images = images",
  ],
  "the deletion of an account": [
    `SELECT 1 FROM users WHERE id = '${USER}' FOR NO KEY UPDATE`,
    "UPDATE image_generations SET prompt = ''",
  ],
} satisfies Record<string, [string, string]>;

test.each(Object.entries(UNDER_WAY))(
  "no migration since keys deadlocks with %s that is under way, and each run is counted once",
  async (_name, [begun, goesOn]) => {
    const { databaseUrl, session, left } = await openBefore(KEYS);
    const other = await openSession(databaseUrl);
    const watcher = await openSession(databaseUrl);
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
    for (const file of left) {
      await other.query(`BEGIN; ${begun}`);
      let isDone = false;
      const migrated = session.query(readMigration(file)).then(() => {
        isDone = true;
      });
      await expect.poll(async () => isDone || (await isWaiting())).toBe(true);
      await other.query(`${goesOn}; COMMIT`);
      await migrated;
    }
    const { rows } = await session.query(`
      SELECT u.api_key_id, u.credits = (SELECT sum(credits_reserved) FROM metered_runs) AS "isWhole"
      FROM usage_months u`);
    expect(rows).toEqual([{ api_key_id: null, isWhole: true }]);
  },
);

/** Makes images, gives some back and deletes the account, until told to stop. Returns the people. */
async function useShop(db: Database, isOver: () => boolean): Promise<string[]> {
  const people: string[] = [];
  const image = { url: "https://images.test/1.png", persisted: false, fileId: null };
  while (!isOver()) {
    const userId = await createUserWith(db, creditsFor("image", 3 * REQUEST.n));
    people.push(userId);
    for (const images of [[image, image], [image], []])
      await settleImages(db, await chargeImages(db, userId, REQUEST), images);
    if (people.length % 2 === 0)
      await deleteAccount({ userId, checkedHash: null, endingSubscriptions: [] }, db);
  }
  return people;
}

test("images are made, given back and forgotten while the columns go, and nobody meets a fault", async () => {
  const { databaseUrl, session, left } = await openBefore(CONTRACT);
  // The code needs what came after them.
  for (const file of left.filter((name) => name > CONTRACTED))
    await session.query(readMigration(file));
  const db = connectDb(databaseUrl);
  onTestFinished(() => db.$disconnect());
  let isOver = false;
  const shops = Promise.all([1, 2, 3, 4].map(() => useShop(db, () => isOver)));
  const firstFault = shops.then(() => undefined);
  for (const file of left.filter((name) => name <= CONTRACTED))
    await Promise.race([session.query(readMigration(file)), firstFault]);
  isOver = true;
  const people = (await shops).flat();
  expect(people.length).toBeGreaterThan(0);
  expect(await listAllFaults(people, db)).toEqual([]);
});
