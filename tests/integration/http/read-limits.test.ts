import { expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { signUp } from "../../helpers/client";
import { holdTransaction } from "../../helpers/held-transaction";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ RATE_LIMIT_SCALE: "1" });

test("the two lists share 300 requests per minute and user", async () => {
  const [client, other] = await Promise.all([signUp(app.url), signUp(app.url)]);
  expect((await client.json("GET", "/api/storage/files")).status).toBe(200);
  await app.sql("UPDATE rate_limits SET count = 299 WHERE key LIKE 'list-user:%'");
  expect((await client.json("GET", "/api/account/credits")).status).toBe(200);
  for (const path of ["/api/account/credits", "/api/storage/files"]) {
    const limited = await client.json("GET", path);
    expect([limited.status, limited.body.code]).toEqual([429, "rate_limited"]);
    expect(limited.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await other.json("GET", path)).status).toBe(200);
  }
});

test("simultaneous probes cost the database one check", async () => {
  const db = connectDb(app.databaseUrl);
  try {
    const held = await holdTransaction(
      db,
      (transaction) => transaction.$executeRaw`LOCK TABLE app_migrations IN ACCESS EXCLUSIVE MODE`,
    );
    const probes = Array.from({ length: 30 }, () => fetch(`${app.url}/readyz`));
    const countWaiting = async () => {
      const [row] = await app.sql<{ count: number }>(
        `SELECT count(*)::int FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return row?.count;
    };
    await expect.poll(countWaiting).toBe(1);
    // It responds while the check waits, so every probe had been received by then.
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect(await countWaiting()).toBe(1);
    await held.commit();
    const responses = await Promise.all(probes);
    expect(new Set(responses.map(({ status }) => status)).size).toBe(1);
  } finally {
    await db.$disconnect();
  }
});
