import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDb, connectDb, type Database, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { asAppError } from "~/utils/app-error";
import { createTestDatabase } from "../../helpers/test-database";

let db: Database;
beforeAll(async () => {
  db = connectDb(await createTestDatabase());
});
afterAll(async () => {
  await db.$disconnect();
  await closeDb();
});

/** Returns the number of the PostgreSQL process that ran the statement, after a moment of work. */
async function processOf(name: string, lane: string): Promise<number | undefined> {
  const statement = Prisma.sql`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`;
  const [row] = await queryPrepared<{ pid: number }>(name, statement, db, lane);
  return row?.pid;
}

test("statements of one lane share a connection", async () => {
  const [first, second] = await Promise.all([processOf("first", "a"), processOf("second", "a")]);
  expect(second).toBe(first);
});

test("two lanes do not wait for each other's statements", async () => {
  const [first, second] = await Promise.all([processOf("first", "a"), processOf("first", "b")]);
  expect(second).not.toBe(first);
});

test("a statement that fails leaves the others of its lane and their connection sound", async () => {
  const results = await Promise.all([
    queryPrepared("failing", Prisma.sql`SELECT 1 / 0`, db, "a").catch(() => "failed"),
    processOf("second", "a"),
  ]);
  expect(results).toEqual(["failed", expect.any(Number)]);
});

test("whoever has no free connection is busy: a model's read, a raw statement, a transaction, a prepared statement", async () => {
  const one = connectDb(await createTestDatabase(), 1);
  await one.$transaction(
    async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      const refused = await Promise.all(
        [
          one.user.count(),
          one.$queryRaw`SELECT 1`,
          one.$transaction((other) => other.user.count()),
          queryPrepared("one", Prisma.sql`SELECT 1`, one),
        ].map((asked: Promise<unknown>) => asked.catch(asAppError)),
      );
      for (const error of refused)
        expect(error).toMatchObject({ code: "busy", headers: { "Retry-After": "5" } });
    },
    { timeout: 60_000 },
  );
  await one.$disconnect();
});
