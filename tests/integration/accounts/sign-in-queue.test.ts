import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { takeTurn } from "~/models/accounts/sign-in-queue.server";
import { createTestDatabase } from "../../helpers/test-database";

let db: Database;
beforeAll(async () => {
  db = connectDb(await createTestDatabase());
});
afterAll(() => db.$disconnect());

const take = (key: string) => takeTurn({ key, spacingSeconds: 3, maxWaitSeconds: 12 }, db);

test("of 40 simultaneous requests five get separate turns, 3 seconds apart, and the rest are refused", async () => {
  const [began] = await db.$queryRaw<{ at: Date }[]>`SELECT clock_timestamp() AS at`;
  const results = await Promise.all(Array.from({ length: 40 }, () => take("many")));
  const [row] = await db.$queryRaw<{ count: number; at: Date; seconds: number }[]>`
    SELECT count, expires_at AS at,
           extract(epoch FROM clock_timestamp() - ${began?.at})::float8 AS seconds
    FROM rate_limits WHERE key = 'many'`;
  const taken = results.filter(({ status }) => status === "taken").length;
  expect(row?.count).toBe(taken);
  expect(taken).toBeGreaterThanOrEqual(5);
  expect(taken).toBeLessThanOrEqual(5 + (row?.seconds ?? 0) / 3);
  // The next free turn comes 3 seconds after each turn that is taken.
  expect(Number(row?.at) - Number(began?.at)).toBeGreaterThanOrEqual(3_000 * taken);
  for (const result of results)
    if (result.status === "taken") expect(result.waitSeconds).toBeLessThanOrEqual(12);
    else expect(result.retryAfterSeconds).toBeGreaterThan(0);
});

test("a refusal takes no turn: a retry after the named time gets one", async () => {
  await take("refused");
  await db.$executeRaw`
    UPDATE rate_limits SET expires_at = now() + interval '1 hour' WHERE key = 'refused'`;
  const refused = await Promise.all(Array.from({ length: 10 }, () => take("refused")));
  expect(refused.map(({ status }) => status)).toEqual(Array(10).fill("refused"));
  const [first] = refused;
  const seconds = first?.status === "refused" ? first.retryAfterSeconds : 0;
  await db.$executeRaw`
    UPDATE rate_limits SET expires_at = expires_at - make_interval(secs => ${seconds})
    WHERE key = 'refused'`;
  expect(await take("refused")).toEqual({ status: "taken", waitSeconds: 0 });
});

test("after a pause the first turn comes at once, and keys don't wait for each other", async () => {
  expect(await take("paused")).toEqual({ status: "taken", waitSeconds: 0 });
  await db.$executeRaw`
    UPDATE rate_limits SET expires_at = now() - interval '1 hour' WHERE key = 'paused'`;
  expect(await take("paused")).toEqual({ status: "taken", waitSeconds: 0 });
  expect(await take("another")).toEqual({ status: "taken", waitSeconds: 0 });
});
