import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { Prisma } from "~/generated/prisma/client";
import { keepCall, keepRequestId } from "~/models/metering/calls.server";
import { releaseRun, renewLeases } from "~/models/metering/leases.server";
import { reservationOf } from "~/models/metering/meter.server";
import { reserveRun } from "~/models/metering/reserve.server";
import { claimRuns } from "~/models/metering/resume.server";
import { findEarlierRun } from "~/models/metering/runs.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { workOn } from "~/models/metering/start-run.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUserWith, openLedger } from "../../helpers/credits";
import { holdTransaction } from "../../helpers/held-transaction";
import { reserveImages } from "../../helpers/image-runs";

setUpBillingEnv();
const ledger = openLedger();

const REQUEST = { prompt: "a lake", n: 1, size: "square" } as const;
const CALL = { provider: "fal", model: "fal-ai/flux/schnell", attempts: [] };
const ATTEMPT = { provider: "fal", outcome: "ambiguous", again: "later" };
const PAST = new Date(Date.now() - 60_000);

async function reserve(isAsynchronous: boolean): Promise<string> {
  const userId = await createUserWith(ledger.db, 10 * CREDITS_PER_IMAGE);
  const reserved = await reserveImages(ledger.db, userId, {
    ...REQUEST,
    isAsynchronous,
    idempotencyKey: randomUUID(),
  });
  if (reserved.status !== "reserved") throw new Error(reserved.status);
  return reserved.runId;
}

/** Brings a new run to a point, and lets its process die there. */
async function abandon({ isAsynchronous = false, called = false, known = false, late = false }) {
  const runId = await reserve(isAsynchronous);
  if (called) expect(await keepCall({ runId, ...CALL }, ledger.db)).toBe(true);
  if (known)
    expect(await keepRequestId({ runId, requestId: "r1", calls: 1 }, ledger.db)).toBe(true);
  await ledger.db.meteredRun.update({
    where: { id: runId },
    data: { leaseUntil: PAST, ...(late ? { deadlineAt: PAST } : {}) },
  });
  return runId;
}

const claim = (providers = ["fal"], limit = 100) =>
  claimRuns({ action: "image", providers, limit }, ledger.db);
const statusOf = async (id: string) =>
  (await ledger.db.meteredRun.findUniqueOrThrow({ where: { id } })).status;

const CASES = [true, false].flatMap((isAsynchronous) =>
  [true, false].flatMap((late) =>
    [{}, { called: true }, { called: true, known: true }].map((point) => ({
      isAsynchronous,
      late,
      ...point,
    })),
  ),
);

test.each(CASES)(
  "a run whose lease is over, %j: it is gone on with or refunded, never both",
  async (point) => {
    const { isAsynchronous, late, called = false, known = false } = { called: false, ...point };
    const runId = await abandon(point);
    const goesOn = !late && (known || (isAsynchronous && !called));
    const cancelled: string[] = [];
    await endStaleRuns(
      { limit: 100, cancel: async ({ requestId }) => void cancelled.push(requestId) },
      ledger.db,
    );
    const found = (await claim()).filter(({ id }) => id === runId);
    expect(found).toHaveLength(goesOn ? 1 : 0);
    expect(await statusOf(runId)).toBe(goesOn ? "reserved" : "refunded");
    expect(cancelled).toEqual(late && known ? ["r1"] : []);
    if (known && goesOn)
      expect(found[0]).toMatchObject({ providerRequestId: "r1", attempts: [{}], provider: "fal" });
  },
);

test.each(CASES)(
  "the same request again, %j: the run that nobody is at work on is over, and no other",
  async (point) => {
    const { isAsynchronous, late, called = false, known = false } = { called: false, ...point };
    const id = await abandon(point);
    const { accountId, requestHash, idempotencyKey } = await ledger.db.meteredRun.findUniqueOrThrow(
      { where: { id } },
    );
    const key = { accountId, requestHash: requestHash ?? "", idempotencyKey: idempotencyKey ?? "" };
    const goesOn = !late && isAsynchronous && !called;
    expect(await findEarlierRun({ ...key, action: "image" }, ledger.db)).toEqual({
      status: known || goesOn ? "in_progress" : "abandoned",
      runId: id,
    });
    // Leaves none to the tests below.
    await claim();
  },
);

test("a run of an action that only another version knows is refunded at its deadline, and not before", async () => {
  const userId = await createUserWith(ledger.db, 100);
  const own = { name: "alone", step: Prisma.empty };
  const request = { userId, units: 1, idempotencyKey: null, fields: [], own };
  const reserved = await reserveRun(reservationOf("text", request), ledger.db);
  if (reserved.status !== "reserved") throw new Error(reserved.status);
  const where = { id: reserved.runId };
  await ledger.db.meteredRun.update({ where, data: { action: "film", leaseUntil: PAST } });
  await endStaleRuns({ limit: 100 }, ledger.db);
  expect(await statusOf(where.id)).toBe("reserved");
  await ledger.db.meteredRun.update({ where, data: { deadlineAt: PAST } });
  await endStaleRuns({ limit: 100 }, ledger.db);
  expect(await statusOf(where.id)).toBe("refunded");
});

test("eight processes that look at once take over each run once", async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, () => abandon({ called: true, known: true })),
  );
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim()))).flat();
  expect(claimed.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test("a process takes over only runs of providers that it can ask", async () => {
  const runId = await abandon({ called: true, known: true });
  expect(await claim(["replicate"])).toEqual([]);
  expect(await claim(["replicate", "fal"])).toMatchObject([{ id: runId }]);
});

test("of two processes that go on with one run, one makes the next call", async () => {
  const runId = await reserve(true);
  const twice = (attempts: object[]) =>
    Promise.all([1, 2].map(() => keepCall({ runId, ...CALL, attempts }, ledger.db)));
  expect((await twice([])).sort()).toEqual([false, true]);
  expect((await twice([ATTEMPT])).sort()).toEqual([false, true]);
  // The one that was frozen comes back with the id of the call before.
  expect(await keepRequestId({ runId, requestId: "old", calls: 1 }, ledger.db)).toBe(false);
  expect(await keepRequestId({ runId, requestId: "new", calls: 2 }, ledger.db)).toBe(true);
});

test("a call after an earlier one forgets the earlier one's id, and keeps when the first left", async () => {
  const runId = await reserve(true);
  await keepCall({ runId, ...CALL }, ledger.db);
  await keepRequestId({ runId, requestId: "r1", calls: 1 }, ledger.db);
  const before = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
  await keepCall({ runId, ...CALL, provider: "replicate", attempts: [ATTEMPT] }, ledger.db);
  const after = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
  expect(after).toMatchObject({ provider: "replicate", providerRequestId: null });
  expect(after.calledAt).toEqual(before.calledAt);
  expect(after.attempts).toMatchObject([ATTEMPT, { calledAt: expect.any(String) }]);
});

test("no call leaves for a run that has ended or whose deadline is over", async () => {
  const late = await reserve(true);
  await ledger.db.meteredRun.update({ where: { id: late }, data: { deadlineAt: PAST } });
  expect(await keepCall({ runId: late, ...CALL }, ledger.db)).toBe(false);
  await endStaleRuns({ limit: 100 }, ledger.db);
});

test("a lease is renewed, never past the deadline, and not for a run that has ended", async () => {
  const runId = await reserve(false);
  const soon = new Date(Date.now() + 5_000);
  await ledger.db.meteredRun.update({ where: { id: runId }, data: { deadlineAt: soon } });
  await renewLeases([runId], ledger.db);
  const run = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
  expect(run.leaseUntil).toEqual(soon);
});

test("a run that waits for its account keeps no other's lease from being renewed", async () => {
  const [waiting, other] = [await reserve(false), await reserve(false)];
  const held = await holdTransaction(
    ledger.db,
    (transaction) =>
      transaction.$queryRaw`SELECT 1 FROM metered_runs WHERE id = ${waiting}::uuid FOR UPDATE`,
  );
  const soon = new Date(Date.now() + 1_000);
  await ledger.db.meteredRun.update({ where: { id: other }, data: { leaseUntil: soon } });
  await renewLeases([waiting, other], ledger.db);
  const run = await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: other } });
  expect(run.leaseUntil > soon).toBe(true);
  await held.rollback();
});

const jobsOf = (runId: string) =>
  ledger.db.$queryRaw<{ waits: boolean }[]>`
    SELECT start_after > now() AS waits FROM pgboss.job
    WHERE name = 'runs' AND data ->> 'runId' = ${runId} ORDER BY created_on`;

test("an asynchronous run has its job from the beginning, a synchronous one has none", async () => {
  expect(await jobsOf(await reserve(true))).toEqual([{ waits: true }]);
  expect(await jobsOf(await reserve(false))).toEqual([]);
});

test("a run that a provider knows is handed over with a job; another is not", async () => {
  const runId = await reserve(false);
  await keepCall({ runId, ...CALL }, ledger.db);
  expect(await releaseRun({ runId }, ledger.db)).toBe(false);
  await keepRequestId({ runId, requestId: "r1", calls: 1 }, ledger.db);
  expect(await releaseRun({ runId }, ledger.db)).toBe(true);
  expect(await jobsOf(runId)).toEqual([{ waits: false }]);
  expect(await claim()).toMatchObject([{ id: runId }]);
});

test("a process that finds its run in other hands leaves the lease as it is", async () => {
  const runId = await abandon({ isAsynchronous: true, called: true, known: true });
  const [found] = (await claim()).filter(({ id }) => id === runId);
  if (!found) throw new Error("not claimed");
  const lease = async () =>
    (await ledger.db.meteredRun.findUniqueOrThrow({ where: { id: runId } })).leaseUntil;
  const held = await lease();
  const { accountId, action } = found;
  const perform = async () => ({ status: "gone" }) as const;
  const run = await workOn({ runId, accountId, action, isAsynchronous: true, perform }, ledger.db);
  expect(run.status).toBe("reserved");
  expect(await lease()).toEqual(held);
  expect(await claim()).toEqual([]);
});

test("an asynchronous run without credits leaves nothing behind", async () => {
  const userId = await createUserWith(ledger.db, CREDITS_PER_IMAGE - 1);
  const refused = await reserveImages(ledger.db, userId, { ...REQUEST, isAsynchronous: true });
  expect(refused.status).toBe("insufficient");
  expect(await ledger.db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
});
