import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database, disconnectDb, queryPrepared } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { AppError, asAppError } from "~/utils/app-error";
import { freePort } from "../../../scripts/lib/free-port";
import { type Loss, startCuttingProxy } from "../../helpers/cutting-proxy";
import { holdTransaction } from "../../helpers/held-transaction";
import { createTestDatabase } from "../../helpers/test-database";

let databaseUrl: string;
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  proxy = await startCuttingProxy(databaseUrl);
});
afterAll(() => proxy.close());

/** Every way in which a connection ends. PgBouncer's code is 08P01. */
const LOSSES: Loss[] = [
  "closed",
  "reset",
  ...["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04", "08P01"].map((code) => ({
    severity: "FATAL" as const,
    code,
  })),
];

/** Refusals of one statement, after which the server is there. */
const REFUSALS: Loss[] = ["23505", "08P01", "57014"].map((code) => ({ severity: "ERROR", code }));

const LOST = "AS lost";

interface Moment {
  /** The statement that loses its connection. */
  at: string;
  work: (db: Database) => Promise<unknown>;
}

/** Statements outside a transaction, and the parts of one. */
const MOMENTS: Record<string, Moment> = {
  "a kept statement": {
    at: LOST,
    work: (db) => queryPrepared("lost", Prisma.sql`SELECT 1 AS lost`, db),
  },
  "a raw statement": { at: LOST, work: (db) => db.$queryRaw`SELECT 1 AS lost` },
  "a model's statement": { at: `"users"`, work: (db) => db.user.count() },
  BEGIN: { at: "BEGIN", work: (db) => db.$transaction(async () => {}) },
  "a statement of a transaction": {
    at: LOST,
    work: (db) => db.$transaction(async (transaction) => transaction.$queryRaw`SELECT 1 AS lost`),
  },
  "a model's statement of a transaction": {
    at: `"users"`,
    work: (db) => db.$transaction(async (transaction) => transaction.user.count()),
  },
  SAVEPOINT: {
    at: "SAVEPOINT",
    work: (db) => db.$transaction((transaction) => transaction.$transaction(async () => {})),
  },
  RELEASE: {
    at: "RELEASE",
    work: (db) => db.$transaction((transaction) => transaction.$transaction(async () => {})),
  },
  COMMIT: { at: "COMMIT", work: (db) => db.$transaction(async () => {}) },
  "COMMIT of a list": {
    at: "COMMIT",
    work: (db) => db.$transaction([db.$queryRaw`SELECT 1`, db.user.count()]),
  },
};

/** Does the work while its connection is lost, and returns the error. */
async function losing({ at, work }: Moment, how: Loss): Promise<Error> {
  const db = connectDb(proxy.url, 1);
  // The connection is there already: connecting has a test of its own.
  await db.$queryRaw`SELECT 1`;
  proxy.cut({ at, how });
  const error = await work(db).then(
    () => new Error("nothing was lost"),
    (failure: Error) => failure,
  );
  expect(proxy.isArmed()).toBe(false);
  await disconnectDb(db);
  return error;
}

const codes = (error: Error) => [
  asAppError(error)?.code ?? null,
  asAppError(error, { mayChange: true })?.code ?? null,
];

test.each(Object.entries(MOMENTS))("a connection lost at %s is told as such", async (_, moment) => {
  for (const how of LOSSES)
    expect([how, ...codes(await losing(moment, how))]).toEqual([how, "busy", "outcome_unknown"]);
  for (const how of REFUSALS)
    expect([how, ...codes(await losing(moment, how))]).toEqual([how, null, null]);
});

test.each(["a statement", "COMMIT"])(
  "%s on a connection that was lost before is told as such",
  async (name) => {
    for (const how of LOSSES) {
      const error = await losing(
        {
          at: LOST,
          work: (db) =>
            db.$transaction(async (transaction) => {
              await transaction.$queryRaw`SELECT 1 AS lost`.catch(() => {});
              if (name === "a statement") await transaction.$queryRaw`SELECT 1`;
            }),
        },
        how,
      );
      expect([how, ...codes(error)]).toEqual([how, "busy", "outcome_unknown"]);
    }
  },
);

test("where a ROLLBACK is lost, the error that asked for it is thrown", async () => {
  const refused = new AppError({ code: "customer_conflict", publicMessage: "No." });
  for (const at of ["ROLLBACK", "ROLLBACK TO"])
    for (const how of LOSSES) {
      const work = (db: Database) =>
        db.$transaction((transaction) =>
          at === "ROLLBACK"
            ? Promise.reject(refused)
            : transaction.$transaction(() => Promise.reject(refused)),
        );
      expect([at, how, await losing({ at, work }, how)]).toEqual([at, how, refused]);
    }
});

const WAYS_IN = ["a kept statement", "a raw statement", "a model's statement", "BEGIN"];

test.each(WAYS_IN)("%s finds no server, wherever it looks", async (name) => {
  const port = await freePort();
  // `localhost` may be two addresses, for which Node has an error of its own kind.
  const addresses = [
    `postgresql://u:p@127.0.0.1:${port}/none`,
    `postgresql://u:p@localhost:${port}/none`,
    "postgresql://u:p@localhost/none?host=/nowhere",
  ];
  for (const address of addresses) {
    const db = connectDb(address, 1);
    const error = await MOMENTS[name]?.work(db).catch((failure: Error) => failure);
    expect(error).toBeInstanceOf(Error);
    expect([address, ...codes(error as Error)]).toEqual([address, "busy", "outcome_unknown"]);
    await disconnectDb(db);
  }
});

test("work that waits in vain for a connection is told as such, whatever its first statement", async () => {
  const db = connectDb(databaseUrl, 1);
  const held = await holdTransaction(db, (transaction) => transaction.$queryRaw`SELECT 1`);
  const waiting = Object.entries(MOMENTS).map(async ([name, { work }]) => {
    const error = await work(db).catch((failure: Error) => failure);
    return [name, ...codes(error as Error)];
  });
  // Nothing was sent, so nothing was changed.
  expect(await Promise.all(waiting)).toEqual(
    Object.keys(MOMENTS).map((name) => [name, "busy", "busy"]),
  );
  await held.commit();
  await disconnectDb(db);
});
