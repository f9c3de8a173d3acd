import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import { extendRun } from "~/models/metering/extend.server";
import { refundRun } from "~/models/metering/settle.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { settleImages } from "../../helpers/image-runs";
import { createLimitedAccount } from "../../helpers/limited-account";

setUpBillingEnv();
const ledger = openLedger();
const COST = creditsFor("image", 1);
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };

const account = (limits: { runs: number; own?: number; key?: number }) =>
  createLimitedAccount(ledger.db, limits);

const countOf = (status: string, results: { status: string }[]) =>
  results.filter((result) => result.status === status).length;

test.each([
  ["the key's", { key: 10 }, "key"],
  ["the account's", { own: 10 }, "account"],
] as const)("of 100 runs at once at %s limit for 10, 10 begin", async (_whose, limit, scope) => {
  const { reserve, used, isSound } = await account({ runs: 200, ...limit });
  const results = await Promise.all(Array.from({ length: 100 }, () => reserve(1)));
  expect(countOf("reserved", results)).toBe(10);
  expect(countOf("limit_reached", results)).toBe(90);
  const refused = results.find(({ status }) => status === "limit_reached");
  expect(refused).toMatchObject({ scope, limit: 10 * COST, used: 10 * COST });
  expect(await used()).toEqual({ account: [10 * COST], key: [10 * COST] });
  await isSound();
});

test("too few credits are said first, then the key's limit, then the account's", async () => {
  const { reserve } = await account({ runs: 3, own: 2, key: 1 });
  expect(await reserve(4)).toMatchObject({ status: "insufficient", required: 4 * COST });
  expect(await reserve(3)).toMatchObject({ status: "limit_reached", scope: "key" });
  expect(await reserve(3, false)).toMatchObject({ status: "limit_reached", scope: "account" });
  expect(await reserve(2, false)).toMatchObject({ status: "reserved" });
  expect(await reserve(1)).toMatchObject({ status: "limit_reached", scope: "account" });
});

test("a run counts what it reserves while it goes on, its charge afterwards, and nothing once it is refunded", async () => {
  const { db } = ledger;
  const { reserveOne, reserve, used, isSound } = await account({ runs: 20, key: 4 });
  const first = await reserveOne(3);
  expect((await used()).key).toEqual([3 * COST]);
  expect(await reserve(2)).toMatchObject({ status: "limit_reached", used: 3 * COST });
  await settleImages(db, first, [IMAGE]);
  expect((await used()).key).toEqual([COST]);
  const second = await reserveOne(3);
  await refundRun({ runId: second, error: "generation_failed" }, db);
  expect(await used()).toEqual({ account: [COST], key: [COST] });
  await isSound();
});

test("an extension past a limit changes nothing and names it", async () => {
  const { db } = ledger;
  const { reserveOne, used, isSound } = await account({ runs: 20, own: 3, key: 4 });
  const runId = await reserveOne(1);
  expect(await extendRun({ runId, units: 3 }, db)).toMatchObject({ status: "extended" });
  expect(await extendRun({ runId, units: 4 }, db)).toMatchObject({
    status: "limit_reached",
    scope: "account",
    limit: 3 * COST,
    used: 3 * COST,
  });
  expect(await used()).toEqual({ account: [3 * COST], key: [3 * COST] });
  await isSound();
});

test("a run counts in the month of its beginning, whenever it ends", async () => {
  const { db } = ledger;
  const { userId, reserveOne, reserve, isSound } = await account({ runs: 20, key: 2 });
  const old = await reserveOne(2);
  // The month turns.
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.$executeRaw`
      UPDATE metered_runs SET created_at = created_at - interval '1 month' WHERE id = ${old}::uuid`,
    db.$executeRaw`
      UPDATE usage_months SET month = month - interval '1 month' WHERE account_id = ${userId}::uuid`,
  ]);
  expect(await reserve(2)).toMatchObject({ status: "reserved" });
  expect(await reserve(1)).toMatchObject({ status: "limit_reached", used: 2 * COST });
  const refused = await reserve(1);
  const next = refused.status === "limit_reached" ? refused.resetsAt : new Date(0);
  const now = new Date();
  expect(next).toEqual(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
  await refundRun({ runId: old, error: "generation_failed" }, db);
  expect(await reserve(1)).toMatchObject({ status: "limit_reached", used: 2 * COST });
  await isSound();
});

test("at the edge, runs that end and begin at once never pass the limit", async () => {
  const { db } = ledger;
  const { reserve, reserveOne, used, isSound } = await account({ runs: 400, key: 8 });
  const running = await Promise.all(Array.from({ length: 8 }, () => reserveOne(1)));
  await Promise.all([
    ...running.map((runId) => refundRun({ runId, error: "generation_failed" }, db)),
    ...Array.from({ length: 60 }, () => reserve(1)),
  ]);
  const [now = 0] = (await used()).key;
  expect(now).toBeLessThanOrEqual(8 * COST);
  await isSound();
});
