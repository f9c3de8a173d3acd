import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { ACTIONS, CREDITS_PER_IMAGE, costUsdMicrosOf } from "~/catalog";
import { getBalance } from "~/models/credits/balance.server";
import { imageRun } from "~/models/images/generate-images.server";
import { keepImages } from "~/models/images/keep-images.server";
import { type ActionRequest, meter, type PerformAction } from "~/models/metering/meter.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const MOST = ACTIONS.image.mostUnits;
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };
const COSTS: Record<string, Record<string, number>> = ACTIONS.image.costs;
const [provider = "", models = {}] = Object.entries(COSTS)[0] ?? [];
const [model = ""] = Object.keys(models);

const resultOf = (units: number) => ({
  units,
  provider,
  model,
  own: keepImages(Array.from({ length: units }, () => IMAGE)),
});

/** Counts how often the paid work was done. */
function countedWork(result: Awaited<ReturnType<PerformAction>>) {
  const work = {
    calls: 0,
    perform: async () => {
      work.calls += 1;
      return result;
    },
  };
  return work;
}

const wanted = (userId: string, changed: Partial<ActionRequest> = {}): ActionRequest => ({
  ...imageRun({
    userId,
    request: { prompt: "a lake", n: MOST, size: "square" },
    idempotencyKey: randomUUID(),
  }),
  ...changed,
});

const newUser = () => createUserWith(ledger.db, MOST * CREDITS_PER_IMAGE);

async function ended(userId: string, request: ActionRequest, perform: PerformAction) {
  const result = await meter("image", request, perform, ledger.db);
  if (result.status !== "started") throw new Error(result.status);
  const run = await result.ended;
  expect(await listAllFaults([userId], ledger.db)).toEqual([]);
  return run;
}

test("one call takes the credits, does the work, and charges for what was used", async () => {
  const userId = await newUser();
  const run = await ended(userId, wanted(userId), async () => resultOf(1));
  expect(run).toMatchObject({
    accountId: userId,
    status: "settled",
    unitsReserved: MOST,
    unitsUsed: 1,
    creditsCharged: CREDITS_PER_IMAGE,
    balanceAfter: (MOST - 1) * CREDITS_PER_IMAGE,
  });
  const row = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: run.id } });
  const cost = costUsdMicrosOf("image", { provider, model, units: 1 });
  expect([row.actorId, row.costUsdMicros]).toEqual([userId, BigInt(cost ?? -1)]);
});

test("what the provider says it cost counts before the catalog's figure", async () => {
  const userId = await newUser();
  const { id } = await ended(userId, wanted(userId), async () => ({
    ...resultOf(1),
    costUsdMicros: 7,
  }));
  const row = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id } });
  expect(row.costUsdMicros).toBe(7n);
});

test.each<[string, PerformAction]>([
  ["throws", () => Promise.reject(new Error("a bug"))],
  ["uses nothing", async () => resultOf(0)],
  ["says that it failed", async () => ({ error: "generation_failed" })],
])("work that %s gives everything back", async (_, perform) => {
  const userId = await newUser();
  const run = await ended(userId, wanted(userId), perform);
  expect(run).toMatchObject({ status: "refunded", error: "generation_failed", creditsCharged: 0 });
  expect(await getBalance(userId, ledger.db)).toBe(MOST * CREDITS_PER_IMAGE);
});

test("a result is charged although its first settlement fails", async () => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  let failing = 1;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    if (failing > 0 && JSON.stringify(args[0]).includes("prepared settle_image")) {
      failing -= 1;
      throw new Error("the connection was lost");
    }
    return query.apply(this, args) as never;
  });
  const userId = await newUser();
  const run = await ended(userId, wanted(userId), async () => resultOf(MOST));
  expect([failing, run.status, run.unitsUsed]).toEqual([0, "settled", MOST]);
});

test("20 requests at once with one key do the work once", async () => {
  const userId = await newUser();
  const work = countedWork(resultOf(MOST));
  const request = wanted(userId);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => meter("image", request, work.perform, ledger.db)),
  );
  const started = results.filter((result) => result.status === "started");
  expect(started).toHaveLength(1);
  const run = await started[0]?.ended;
  for (const result of results)
    expect(["started", "ended", "idempotency_in_progress"]).toContain(result.status);
  const repeated = await meter("image", request, work.perform, ledger.db);
  expect(repeated).toEqual({ status: "ended", run });
  const other = { ...request, fields: ["something else"] };
  expect(await meter("image", other, work.perform, ledger.db)).toEqual({
    status: "idempotency_mismatch",
  });
  expect(work.calls).toBe(1);
  expect(await getBalance(userId, ledger.db)).toBe(0);
  expect(await listAllFaults([userId], ledger.db)).toEqual([]);
});

test("a refusal and too few credits take nothing and do nothing", async () => {
  const userId = await createUserWith(ledger.db, MOST * CREDITS_PER_IMAGE - 1);
  const work = countedWork(resultOf(MOST));
  const refusal = { status: "not_today" as const };
  const refused = { ...wanted(userId), admit: async () => refusal };
  expect(await meter<typeof refusal>("image", refused, work.perform, ledger.db)).toBe(refusal);
  expect(await meter("image", wanted(userId), work.perform, ledger.db)).toMatchObject({
    status: "insufficient",
  });
  expect(work.calls).toBe(0);
  expect(await ledger.db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
});

test("a run of an account whose balance is below its lots ends, says where to look, and takes nothing", async () => {
  const userId = await createUserWith(ledger.db, MOST * CREDITS_PER_IMAGE);
  await ledger.db.creditAccount.update({ where: { userId }, data: { balance: 1 } });
  const work = countedWork(resultOf(MOST));
  const run = meter("image", wanted(userId), work.perform, ledger.db);
  await expect(run).rejects.toThrow(/its lots hold \d+ credits.*ledger -- verify/);
  expect(work.calls).toBe(0);
  expect(await ledger.db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
});

test.each([0, MOST + 1, 1.5])("%s units are refused before anything is taken", async (units) => {
  const userId = await newUser();
  const request = wanted(userId, { units });
  expect(() => meter("image", request, async () => resultOf(1), ledger.db)).toThrow(RangeError);
  expect(await ledger.db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
});
