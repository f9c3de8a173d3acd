import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { readAccountView } from "~/models/credits/account-view.server";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, HOUR, inFuture } from "../../helpers/credits";
import { createSubscription, grantsOf } from "../../helpers/subscriptions";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv();
let db: Database;
beforeAll(async () => {
  vi.stubEnv("TZ", "America/New_York");
  const url = await createTestDatabase();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Asia/Tokyo'`,
  );
  await admin.end();
  db = connectDb(url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await db.$disconnect();
});

test("a time is the same instant here and in a database of another time zone", async () => {
  const at = new Date("2026-03-08T02:30:00.123Z");
  const userId = await createUser(db);
  const { id } = await createSubscription(db, {
    userId,
    anchor: at,
    paidUntil: inFuture(HOUR),
    status: "paused",
  });
  const [stored] = await db.$queryRaw<{ byModel: string; byQuery: string; now: Date }[]>`
    SELECT extract(epoch FROM grant_anchor_at)::text AS "byModel",
      extract(epoch FROM ${at}::timestamptz)::text AS "byQuery", now()
    FROM subscriptions WHERE id = ${id}::uuid`;
  expect(Number(stored?.byModel)).toBe(at.getTime() / 1000);
  expect(Number(stored?.byQuery)).toBe(at.getTime() / 1000);
  expect(Math.abs(Number(stored?.now) - Date.now())).toBeLessThan(HOUR);
});

test("a lot of an hour can be spent, and ends when it was said to", async () => {
  const userId = await createUser(db);
  const end = inFuture(HOUR);
  await createLot(db, userId, 100, HOUR);
  const expiring = (await readAccountView({ userId, cursor: null }, db)).expiring;
  expect(expiring?.amount).toBe(100);
  expect(Math.abs(Number(expiring?.at) - end.getTime())).toBeLessThan(10_000);
});

test("a boundary an hour ahead waits, and one an hour ago is granted under its own name", async () => {
  const userId = await createUser(db);
  const [soon, lately] = [newSubscription(userId), newSubscription(userId)];
  await applyEvents(db, soon.changed(inFuture(HOUR), inFuture(30 * 24 * HOUR)));
  const start = inFuture(-HOUR);
  await applyEvents(db, lately.changed(start, inFuture(30 * 24 * HOUR)));
  expect(await runDueGrants({}, db)).toMatchObject({ grants: 0 });
  expect(await grantsOf(db, { id: "", userId, ...soon })).toEqual([]);
  expect(await grantsOf(db, { id: "", userId, ...lately })).toMatchObject([
    { boundary: start.toISOString() },
  ]);
});
