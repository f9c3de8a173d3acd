import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { lookAtUser } from "~/models/admin/user-page.server";
import { createUser } from "../../helpers/credits";
import { createTestDatabase } from "../../helpers/test-database";

// One connection, whose reads PostgreSQL counts.
let db: Database;
beforeAll(async () => {
  db = connectDb(await createTestDatabase(), 1);
});
afterAll(() => db.$disconnect());

const OTHERS = 20_000;

/** Work of everybody else: deliveries, jobs and rows of the audit log. */
async function plantOthers(): Promise<void> {
  await db.$executeRaw`
    INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, processed_at, names)
    SELECT 'stripe', 'id:evt_' || n, 'a.test', '{}', 'processed', now(), ARRAY['cus_A' || n, 'pi_A' || n]
    FROM generate_series(1, ${OTHERS}::int) AS n`;
  await db.$executeRaw`
    INSERT INTO pgboss.job (name, data, state, completed_on)
    SELECT 'emails', jsonb_build_object('emailId', gen_random_uuid()), 'completed', now()
    FROM generate_series(1, ${OTHERS}::int)`;
  await db.$executeRaw`
    INSERT INTO audit_log (actor, action) SELECT 'operator:test', 'figures_viewed'
    FROM generate_series(1, ${OTHERS}::int)`;
  await db.$executeRaw`ANALYZE webhook_inbox, pgboss.job, audit_log`;
}

async function countScans(): Promise<Record<string, bigint>> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const rows = await db.$queryRaw<{ name: string; scans: bigint }[]>`
    SELECT relname AS name, seq_scan AS scans FROM pg_stat_user_tables
    WHERE relname IN ('webhook_inbox', 'job_common', 'audit_log')`;
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
}

test("a person's page reads neither everybody's deliveries, nor their jobs, nor the whole audit log", async () => {
  await plantOthers();
  const userId = await createUser(db);
  await db.$executeRaw`
    INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, processed_at, names, received_at)
    SELECT 'stripe', 'id:evt_own' || n, 'own.' || n, '{}', (CASE WHEN n > 38 THEN 'failed' ELSE 'processed' END)::webhook_status,
      CASE WHEN n <= 38 THEN now() END, ARRAY[${userId}::text], now() - make_interval(hours => n)
    FROM generate_series(1, 40) AS n`;
  const [email] = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO outbox_emails (user_id, kind, recipient, locale)
    VALUES (${userId}::uuid, 'account_deleted', 'person@example.com', 'en') RETURNING id`;
  await db.$executeRaw`
    INSERT INTO outbox_emails (user_id, kind, recipient, locale, created_at, next_attempt_at, sent_at)
    SELECT ${userId}::uuid, 'account_deleted', 'person@example.com', 'en', now() + make_interval(secs => n), NULL, now()
    FROM generate_series(1, 40) AS n`;
  await db.$executeRaw`
    INSERT INTO pgboss.job (name, data, state, completed_on)
    SELECT 'emails', jsonb_build_object('emailId', ${email?.id}::text), 'completed', now() FROM generate_series(1, 40) AS n`;
  // Older than all others, and not done.
  await db.$executeRaw`
    INSERT INTO pgboss.job (name, data, state, created_on)
    VALUES ('emails', jsonb_build_object('emailId', ${email?.id}::text), 'failed', now() - interval '2 days')`;
  const before = await countScans();
  const page = await lookAtUser({ actor: "operator:test", userId }, db);
  expect(await countScans()).toEqual(before);
  // Work that isn't done comes first, however much came after it.
  const newest = Array.from({ length: 28 }, (_, nth) => `own.${nth + 1}`);
  expect(page?.deliveries.map(({ eventType }) => eventType)).toEqual([
    "own.39",
    "own.40",
    ...newest,
  ]);
  expect(page?.jobs.map(({ state }) => state)).toEqual(["failed", ...Array(29).fill("completed")]);
  expect(page?.emails.map(({ id }) => id)[0]).toBe(email?.id);
  expect(page?.emails).toHaveLength(30);
});
