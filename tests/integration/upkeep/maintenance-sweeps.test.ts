import { expect, inject, onTestFinished, test } from "vitest";
import { signUp } from "../../helpers/client";
import { HOUR } from "../../helpers/credits";
import { expectSoundLedger } from "../../helpers/ledger";
import { PNG, pngOfSize } from "../../helpers/sample-files";
import { storeImageRuns } from "../../helpers/stored-image-runs";
import { startTestServer } from "../../helpers/test-server";
import { putObject, requestUpload, uploadFile } from "../../helpers/upload";
import { runMaintenance } from "../../helpers/with-image-server";
import { withTestServer } from "../../helpers/with-test-server";

const CRON = { CRON_SECRET: "cron-secret-for-tests-only" };
const app = withTestServer(CRON);

const age = (fileId: string, interval: string) =>
  app.sql("UPDATE files SET created_at = created_at - $2::interval WHERE id = $1", [
    fileId,
    interval,
  ]);
const fileRow = async (fileId: string) =>
  (
    await app.sql("SELECT status, deleted_at IS NOT NULL AS deleted FROM files WHERE id = $1", [
      fileId,
    ])
  )[0];
const isStored = async (key: string) => {
  const { S3_ENDPOINT, S3_BUCKET_NAME } = inject("s3Env");
  return (await fetch(`${S3_ENDPOINT}/${S3_BUCKET_NAME}/${key}`)).status === 200;
};

test("an upload that is not confirmed within a day is gone, object and record", async () => {
  const person = await signUp(app.url);
  const old = await requestUpload(person);
  const young = await requestUpload(person);
  for (const upload of [old, young]) await putObject(upload);
  await age(old.fileId, "25 hours");
  expect(await runMaintenance(app.url)).toMatchObject({ uploadsSwept: 1, filesRemoved: 1 });
  expect([await isStored(old.key), await fileRow(old.fileId)]).toEqual([false, undefined]);
  expect([await isStored(young.key), await fileRow(young.fileId)]).toEqual([
    true,
    { status: "pending", deleted: false },
  ]);
  const late = await person.json("POST", "/api/storage/confirm", { fileId: old.fileId });
  expect(late.status).toBe(404);
});

test("a PUT that comes after its file was deleted is found by the later sweep", async () => {
  const person = await signUp(app.url);
  const upload = await requestUpload(person);
  await putObject(upload);
  await person.fetch(`/api/storage/files/${upload.fileId}`, { method: "DELETE" });
  expect(await isStored(upload.key)).toBe(false);
  // The URL still accepts it.
  await putObject(upload);
  expect(await runMaintenance(app.url)).toMatchObject({ filesRemoved: 0 });
  expect(await isStored(upload.key)).toBe(true);
  await age(upload.fileId, "1 hour");
  expect(await runMaintenance(app.url)).toMatchObject({ filesRemoved: 1 });
  expect([await isStored(upload.key), await fileRow(upload.fileId)]).toEqual([false, undefined]);
});

test("while the store is unreachable no deletion is lost", async () => {
  const person = await signUp(app.url);
  const upload = await requestUpload(person);
  await putObject(upload);
  await age(upload.fileId, "25 hours");
  const cutOff = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    ...CRON,
    S3_ENDPOINT: "http://127.0.0.1:9",
  });
  onTestFinished(() => cutOff.stop());
  expect(await runMaintenance(cutOff.url)).toMatchObject({ uploadsSwept: 1, filesRemoved: 0 });
  expect(await fileRow(upload.fileId)).toEqual({ status: "pending", deleted: true });
  expect(await runMaintenance(app.url)).toMatchObject({ filesRemoved: 1 });
  expect(await isStored(upload.key)).toBe(false);
});

test("a file that was replaced after its confirmation is rejected once its URL is over, and looked at once", async () => {
  const person = await signUp(app.url);
  const content = pngOfSize(200);
  const upload = await requestUpload(person, { content });
  await putObject(upload, content);
  await person.json("POST", "/api/storage/confirm", { fileId: upload.fileId });
  const untouched = await uploadFile(person);
  const other = Buffer.from(content);
  other[199] = (other[199] ?? 0) ^ 1;
  expect((await putObject(upload, other)).status).toBe(200);

  expect(await runMaintenance(app.url)).toMatchObject({ filesRejected: 0 });
  for (const { fileId } of [upload, untouched]) await age(fileId, "1 hour");
  expect(await runMaintenance(app.url)).toMatchObject({ filesRejected: 1 });
  expect([await isStored(upload.key), await fileRow(upload.fileId)]).toEqual([
    false,
    { status: "rejected", deleted: false },
  ]);
  expect(await fileRow(untouched.fileId)).toEqual({ status: "confirmed", deleted: false });
  expect((await person.json("GET", `/api/storage/files/${upload.fileId}`)).status).toBe(404);
  expect(await runMaintenance(app.url)).toMatchObject({ filesRejected: 0 });
});

test("records are deleted when their retention ends, not before", async () => {
  const person = await signUp(app.url);
  const [{ id } = { id: "" }] = await app.sql<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [person.email],
  );
  const both = (statement: string, over: string, running: string) =>
    Promise.all(
      [over, running].map((when) => app.sql(statement.replace("$when", `now() ${when}`))),
    );
  const user = `'${id}'::uuid`;
  await both(
    `INSERT INTO sessions (user_id, token_hash, expires_at) VALUES (${user}, sha256(gen_random_uuid()::text::bytea), $when)`,
    "- interval '1 second'",
    "+ interval '1 day'",
  );
  await both(
    `INSERT INTO verification_tokens (user_id, purpose, token_hash, expires_at)
     VALUES (${user}, 'reset', sha256(gen_random_uuid()::text::bytea), $when)`,
    "- interval '1 second'",
    "+ interval '1 hour'",
  );
  await both(
    `INSERT INTO auth_challenges (purpose, token_hash, expires_at)
     VALUES ('second_factor', sha256(gen_random_uuid()::text::bytea), $when)`,
    "- interval '1 second'",
    "+ interval '1 minute'",
  );
  await both(
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, names, status, processed_at)
     VALUES ('stripe', 'id:' || gen_random_uuid(), 'ping', '\\x7b7d', '{cus_A1}', 'processed', $when)`,
    "- interval '31 days'",
    "- interval '29 days'",
  );
  // Ten attempts failed: these wait longer for an operator.
  await both(
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, names, status, received_at)
     VALUES ('stripe', 'id:' || gen_random_uuid(), 'dead', '\\x7b7d', '{cus_A1}', 'dead', $when)`,
    "- interval '181 days'",
    "- interval '179 days'",
  );
  await app.sql(
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, names, status, received_at, next_attempt_at)
     VALUES ('stripe', 'id:' || gen_random_uuid(), 'failed', '\\x7b7d', '{cus_A1}', 'failed', now() - interval '1 year',
       now() + interval '1 hour')`,
  );
  await both(
    `INSERT INTO idempotency_keys (user_id, scope, key, request_hash, lease_until, created_at)
     VALUES (${user}, 'checkout', gen_random_uuid(), 'x', now() - interval '1 hour', $when)`,
    "- interval '8 days'",
    "- interval '6 days'",
  );
  await both(
    `INSERT INTO outbox_emails (kind, recipient, locale, created_at, next_attempt_at)
     VALUES ('receipt', 'a@example.com', 'en', $when, NULL)`,
    "- interval '91 days'",
    "- interval '89 days'",
  );
  await both(
    "INSERT INTO rate_limits (key, count, expires_at) VALUES ('test:' || gen_random_uuid(), 1, $when)",
    "- interval '1 second'",
    "+ interval '1 hour'",
  );
  await both(
    "INSERT INTO job_runs (job, started_at, finished_at, ok) VALUES ('maintenance', $when, now(), true)",
    "- interval '91 days'",
    "- interval '89 days'",
  );
  await both(
    `INSERT INTO webhook_rejections (hour, provider, reason, count, last_at)
     VALUES ($when, 'stripe', 'missing', 1, now())`,
    "- interval '91 days'",
    "- interval '89 days'",
  );
  const images = [
    { url: "data:image/png;base64,AA==", persisted: false, fileId: null },
    { url: "https://cdn.example.com/a.png", persisted: true, fileId: null },
  ];
  await storeImageRuns(
    app,
    person.email,
    [25, 23].map((hours) => {
      const createdAt = new Date(Date.now() - hours * HOUR);
      return { prompt: "a cat", status: "settled" as const, n: 2, images, createdAt };
    }),
  );
  await app.sql("INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING", [id]);
  await both(
    `INSERT INTO crossings (account_id, watcher, month) VALUES (${user}, 'limit_80', ($when)::date)`,
    "- interval '40 days'",
    "",
  );
  await app.sql("INSERT INTO crossings (account_id, watcher) VALUES ($1, 'low_balance')", [id]);
  const removed = {
    sessionsRemoved: 1,
    tokensRemoved: 1,
    challengesRemoved: 1,
    emailsRemoved: 1,
    payloadsDropped: 2,
    idempotencyKeysRemoved: 1,
    rateLimitsRemoved: 1,
    jobRunsRemoved: 1,
    rejectionsRemoved: 1,
    crossingsRemoved: 1,
    dataUrlsPurged: 1,
  };
  expect(await runMaintenance(app.url)).toMatchObject(removed);
  expect(await runMaintenance(app.url)).toMatchObject(
    Object.fromEntries(Object.keys(removed).map((task) => [task, 0])),
  );
  // The ids in the bytes go with them. What is still tried keeps its bytes, however old it is.
  const inbox = await app.sql(
    `SELECT event_type AS type, payload IS NULL AS dropped, cardinality(names) AS names
     FROM webhook_inbox ORDER BY 1, 2`,
  );
  expect(inbox).toEqual([
    { type: "dead", dropped: false, names: 1 },
    { type: "dead", dropped: true, names: 0 },
    { type: "failed", dropped: false, names: 1 },
    { type: "ping", dropped: false, names: 1 },
    { type: "ping", dropped: true, names: 0 },
  ]);
  const crossings = await app.sql("SELECT watcher FROM crossings ORDER BY watcher");
  expect(crossings).toEqual([{ watcher: "limit_80" }, { watcher: "low_balance" }]);
  const kept = await app.sql<{ urls: number }>(
    `SELECT jsonb_array_length(images) AS urls
     FROM image_generations JOIN metered_runs USING (id) ORDER BY settled_at`,
  );
  expect(kept).toEqual([{ urls: 1 }, { urls: 2 }]);
});

test("credits whose time is over are booked, once, by runs side by side", async () => {
  const person = await signUp(app.url);
  await app.sql(
    `WITH person AS (SELECT id FROM users WHERE email = $1), account AS (
       INSERT INTO credit_accounts SELECT id, 30, now() - interval '1 hour' FROM person RETURNING user_id)
     INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining, expires_at)
     SELECT user_id, 'grant', 30, 30, 'test:' || user_id, 30, now() - interval '1 hour' FROM account`,
    [person.email],
  );
  const balance = async () => (await person.json("GET", "/api/account/credits")).body.balance;
  expect(await balance()).toBe(0);
  const runs = await Promise.all([1, 2, 3].map(() => runMaintenance(app.url)));
  expect(runs.map(({ lotsExpired = 0 }) => lotsExpired).reduce((a, b) => a + b)).toBe(1);
  expect(await balance()).toBe(0);
  await expectSoundLedger(app);
});

test("a failed task is named, and the others still run", async () => {
  const upload = await requestUpload(await signUp(app.url), { content: PNG });
  await age(upload.fileId, "25 hours");
  await app.sql("ALTER TABLE rate_limits RENAME TO rate_limits_away");
  const response = await fetch(`${app.url}/api/cron/maintenance`, {
    headers: { Authorization: `Bearer ${CRON.CRON_SECRET}` },
  }).finally(() => app.sql("ALTER TABLE rate_limits_away RENAME TO rate_limits"));
  expect(response.status).toBe(500);
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ code: "maintenance_failed", uploadsSwept: 1 });
  expect(body.detail).toContain("rateLimitsRemoved");
  const [run] = await app.sql("SELECT ok FROM job_runs ORDER BY started_at DESC LIMIT 1");
  expect(run).toEqual({ ok: false });
});
