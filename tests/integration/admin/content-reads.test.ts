import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { startStatementProxy } from "../../helpers/statement-proxy";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer } from "../../helpers/test-server";
import type { ServerUnderTest } from "../../helpers/with-test-server";

const app = {} as ServerUnderTest;
let proxy: Awaited<ReturnType<typeof startStatementProxy>>;
let admin: Client;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  proxy = await startStatementProxy(databaseUrl);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  const server = await startTestServer({
    DATABASE_URL: proxy.url,
    WORKER: "off",
    ADMIN_EMAILS: ADMINS[0],
    NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
    IMAGE_PROVIDER_1_KEY: "unused",
  });
  const sql = async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows;
  Object.assign(app, { url: server.url, databaseUrl, server, sql });
  admin = await createAdmin(app);
  return async () => {
    await server.stop();
    await pool.end();
    proxy.close();
  };
});

/** Plants a settled run of an action, with these images if it is one for images. */
async function plantRun(userId: string, images: object[] | null, action = "image") {
  const id = randomUUID();
  await app.sql("INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING", [
    userId,
  ]);
  await app.sql(
    `INSERT INTO metered_runs (id, account_id, action, request_hash, unit_credits, unit_size, least_credits,
       units_reserved, units_used, credits_reserved, credits_charged, status, lease_until, deadline_at, settled_at, balance_after)
     VALUES ($1, $2, $3, '', 10, 1, 10, 1, 1, 10, 10, 'settled', now(), now(), now(), 0)`,
    [id, userId, action],
  );
  if (images)
    await app.sql(
      "INSERT INTO image_generations (id, prompt, n, size, images) VALUES ($1, 'a hill', 1, 'square', $2)",
      [id, JSON.stringify(images)],
    );
  return id;
}

async function plantFile(userId: string, access: "public" | "private"): Promise<string> {
  const [file] = await app.sql<{ id: string }>(
    `INSERT INTO files (user_id, key, filename, content_type, size, access, confirmed_at)
     VALUES ($1, $2, 'a.png', 'image/png', 10, $3, now()) RETURNING id`,
    [userId, `${userId}/${randomUUID()}.png`, access],
  );
  return file?.id ?? "";
}

const PAGE = 50;
const KB = 1024;

async function createAllowed(): Promise<string> {
  const id = await idOf(app, (await signUp(app.url)).email);
  await app.sql("UPDATE users SET support_until = now() + interval '1 day' WHERE id = $1", [id]);
  return id;
}

/** Opens the content page. Returns it, with the statements and the bytes that it took. */
async function look(userId: string) {
  proxy.take();
  const before = proxy.received();
  const response = await admin.fetch(`/en/admin/users/${userId}/content`);
  const html = await response.text();
  expect(response.status).toBe(200);
  const statements = proxy.take().filter((name) => name !== "announce_process");
  return { html, statements: statements.length, bytes: proxy.received() - before };
}

test("a full page takes as many statements as one run, and no picture out of the database", async () => {
  const [one, many] = [await createAllowed(), await createAllowed()];
  const stored = { url: `data:image/png;base64,${"A".repeat(40 * KB)}`, persisted: true };
  await plantRun(one, [{ ...stored, fileId: null }]);
  for (let n = 0; n < PAGE; n++) await plantRun(many, [{ ...stored, fileId: null }]);
  await look(one);
  const [small, full] = [await look(one), await look(many)];
  expect(full.html.match(/a hill/g)).toHaveLength(PAGE);
  expect(full.statements).toBe(small.statements);
  expect(full.bytes).toBeLessThan(200 * KB);
});

test("pictures in our store have an address for five minutes, and for no longer than the permission", async () => {
  const id = await createAllowed();
  for (const access of ["private", "public"] as const)
    await plantRun(id, [{ url: null, persisted: true, fileId: await plantFile(id, access) }]);
  const expiries = async () => {
    const { html } = await look(id);
    const found = [...html.matchAll(/<img src="[^"]*X-Amz-Expires=(\d+)/g)];
    return found.map(([, seconds]) => Number(seconds));
  };
  expect(await expiries()).toEqual([300, 300]);
  await app.sql("UPDATE users SET support_until = now() + interval '60 seconds' WHERE id = $1", [
    id,
  ]);
  const left = await expiries();
  expect(left).toHaveLength(2);
  for (const seconds of left) expect(seconds).toBeLessThanOrEqual(60);
});

test("a provider's address, and that of a deleted file, are on no page", async () => {
  const id = await createAllowed();
  const deleted = await plantFile(id, "public");
  await app.sql("UPDATE files SET deleted_at = now() WHERE id = $1", [deleted]);
  await plantRun(id, [
    { url: "https://provider.example/picture.png", persisted: false, fileId: null },
    { url: "https://store.example/deleted.png", persisted: true, fileId: deleted },
  ]);
  const { html } = await look(id);
  expect(html).toContain("a hill");
  expect(html).not.toContain("provider.example");
  expect(html).not.toContain("deleted.png");
  expect(html).not.toContain("<img src");
});

test("runs of an action that the catalog no longer has are in no list, and hide no other", async () => {
  const person = await signUp(app.url);
  const id = await idOf(app, person.email);
  await app.sql("UPDATE users SET support_until = now() + interval '1 day' WHERE id = $1", [id]);
  await plantRun(id, [{ url: null, persisted: false, fileId: null }]);
  for (let n = 0; n < PAGE; n++) await plantRun(id, null, "no-longer-sold");
  expect((await look(id)).html).toContain("a hill");
  const listed = await person.fetch("/api/runs");
  expect(listed.status).toBe(200);
  const { runs } = (await listed.json()) as { runs: { action: string }[] };
  expect(runs.map(({ action }) => action)).toEqual(["image"]);
});
