import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDb, connectDb, type Database, readPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { asAppError } from "~/utils/app-error";
import { runWithRequestContext } from "~/utils/request-context.server";
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
async function processOf(name: string): Promise<number | undefined> {
  const statement = Prisma.sql`SELECT pg_backend_pid() AS pid, pg_sleep(0.05)`;
  const [row] = await readPrepared<{ pid: number }>(name, statement, db);
  return row?.pid;
}

const two = () => Promise.all([processOf("first"), processOf("second")]);

test("statements that one request reads with at the same time share a connection", async () => {
  const [first, second] = await runWithRequestContext({ requestId: "1" }, two);
  expect(second).toBe(first);
});

test("two requests do not wait for each other's statements", async () => {
  const one = (requestId: string) => runWithRequestContext({ requestId }, () => processOf("first"));
  const [first, second] = await Promise.all([one("1"), one("1")]);
  expect(second).not.toBe(first);
});

test("a statement that fails leaves the others of its request and their connection sound", async () => {
  const failing = readPrepared("failing", Prisma.sql`SELECT 1 / 0`, db).catch(() => "failed");
  const results = await runWithRequestContext({ requestId: "1" }, () =>
    Promise.all([
      readPrepared("failing", Prisma.sql`SELECT 1 / 0`, db).catch(() => "failed"),
      processOf("second"),
    ]),
  );
  expect([await failing, results[0]]).toEqual(["failed", "failed"]);
  expect(results[1]).toEqual(expect.any(Number));
});

test.each<[string, (one: Database) => Promise<unknown>]>([
  ["a model's read", (one) => one.user.count()],
  ["a raw statement", (one) => one.$queryRaw`SELECT 1`],
  ["a transaction", (one) => one.$transaction((tx) => tx.user.count())],
  ["a prepared statement", (one) => readPrepared("one", Prisma.sql`SELECT 1`, one)],
])(
  "%s without a free connection is busy",
  async (_name, ask) => {
    const one = connectDb(await createTestDatabase(), 1);
    await one.$transaction(
      async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        const refused = await ask(one).catch(asAppError);
        expect(refused).toMatchObject({ code: "busy", headers: { "Retry-After": "5" } });
      },
      { timeout: 60_000 },
    );
    await one.$disconnect();
  },
  60_000,
);
