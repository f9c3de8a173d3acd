import fc from "fast-check";
import { expect, test } from "vitest";
import { creditsFor } from "~/catalog";
import type { MeteredRun } from "~/generated/prisma/client";
import { bookExpiries } from "~/models/credits/expiries.server";
import { extendRun } from "~/models/metering/extend.server";
import { refundRun } from "~/models/metering/settle.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { PACK } from "../../fixtures/sold";
import { applyEvents, orderRefunded, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, HOUR, openLedger, passTime } from "../../helpers/credits";
import { expectWholeHistory } from "../../helpers/history-law";
import { reserveImages, settleImages } from "../../helpers/image-runs";
import { losing } from "../../helpers/lose-connection";
import { CONTINUATIONS, createRunProcesses } from "../../helpers/run-processes";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";

const RUNS = byRun({ few: 25, many: 600 });

setUpBillingEnv();
silenceLog();
const ledger = openLedger();

const nth = fc.nat({ max: 5 });
const units = fc.integer({ min: 1, max: 4 });

const operation = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("lot" as const),
      hours: fc.option(fc.integer({ min: 1, max: 40 })),
      tenths: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("buy" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("return" as const),
      nth,
      tenths: fc.integer({ min: 1, max: 10 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("reserve" as const),
      units,
      key: fc.option(nth),
      isAsynchronous: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("extend" as const),
      nth,
      units: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      nth,
      units: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund" as const), nth }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(["call", "call", "accept", "accept", "pause", "release", "be late"] as const),
      ),
      nth,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("resume" as const),
      units,
      how: fc.constantFrom(...CONTINUATIONS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("die" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const) }) },
);
const pass = fc.record({
  do: fc.constant("pass" as const),
  hours: fc.integer({ min: 1, max: 30 }),
});
type Drawn = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;
type Operation = Drawn | { do: "pass"; hours: number };

const loss = fc.record({
  nth: fc.integer({ min: 1, max: 12 }),
  how: fc.constantFrom("unsent" as const, "unheard" as const),
});

/** One operation, two at once, or one whose connection is lost on the way. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ work: pass.map((one) => [one]), loss: fc.constant(null) }) },
  {
    weight: 5,
    arbitrary: fc.record({ work: operation.map((one) => [one]), loss: fc.constant(null) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ work: fc.tuple(operation, operation), loss: fc.constant(null) }),
  },
  { weight: 3, arbitrary: fc.record({ work: operation.map((one) => [one]), loss }) },
);

const isRefunded = ({ status }: MeteredRun) => status === "refunded";

/** Nobody works on it, and nobody can go on. */
const isLost = (run: MeteredRun) =>
  run.status === "reserved" &&
  run.leaseUntil <= new Date() &&
  (run.deadlineAt <= new Date() ||
    (run.providerRequestId === null && !(run.asynchronous && run.calledAt === null)));

const listWithoutJob = (accountId: string) => ledger.db.$queryRaw`
  SELECT id FROM metered_runs run WHERE account_id = ${accountId}::uuid AND asynchronous AND NOT EXISTS (
    SELECT 1 FROM pgboss.job WHERE name = 'runs' AND data ->> 'runId' = run.id::text)`;

/** An account whose owner buys, returns, and runs what is metered. */
async function createAccount() {
  const { db } = ledger;
  const userId = await createUser(db);
  const processes = createRunProcesses(db, userId);
  const sold: { pack: ReturnType<typeof packCheckout>; back: number }[] = [];
  const listRuns = () =>
    db.meteredRun.findMany({
      where: { accountId: userId },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
  const runAt = async (at: number) => {
    const runs = await listRuns();
    return runs[at % Math.max(1, runs.length)]?.id;
  };
  const image = { url: "https://images.test/1.png", persisted: false, fileId: null };

  async function perform(next: Operation): Promise<void> {
    switch (next.do) {
      case "lot":
        await createLot(db, userId, next.tenths, next.hours === null ? null : next.hours * HOUR);
        return;
      case "buy": {
        const pack = packCheckout(userId);
        sold.push({ pack, back: 0 });
        return applyEvents(db, pack);
      }
      case "return": {
        const sale = sold[next.nth % Math.max(1, sold.length)];
        if (!sale) return;
        sale.back = Math.max(sale.back, Math.ceil((PACK.amount * next.tenths) / 10));
        return applyEvents(db, orderRefunded(sale.pack, sale.back, { occurredAt: new Date() }));
      }
      case "reserve": {
        const idempotencyKey = next.key === null ? null : `key ${next.key}`;
        await reserveImages(db, userId, {
          prompt: "a lake",
          n: next.units,
          size: "square",
          idempotencyKey,
          isAsynchronous: next.isAsynchronous,
        });
        return;
      }
      case "extend": {
        const runId = await runAt(next.nth);
        if (runId) await extendRun({ runId, units: next.units }, db);
        return;
      }
      case "settle": {
        const runId = await runAt(next.nth);
        if (runId)
          await settleImages(
            db,
            runId,
            Array.from({ length: next.units }, () => image),
          );
        return;
      }
      case "refund": {
        const runId = await runAt(next.nth);
        if (runId) await refundRun({ runId, error: "generation_failed" }, db);
        return;
      }
      case "call":
      case "accept":
      case "pause":
      case "release": {
        const runId = await runAt(next.nth);
        if (runId) await processes[next.do](runId);
        return;
      }
      case "be late": {
        const id = await runAt(next.nth);
        if (id) await db.meteredRun.update({ where: { id }, data: { deadlineAt: new Date() } });
        return;
      }
      case "resume":
        return processes.resume(next.units, next.how);
      case "die":
        return processes.die();
      case "sweep":
        await endStaleRuns({ limit: 100 }, db);
        return;
      case "expire":
        await bookExpiries(userId, db);
        return;
      case "pass":
        return passTime(db, userId, next.hours * HOUR);
    }
  }
  return { userId, perform, listRuns, broken: processes.broken };
}

test(
  `in ${RUNS} random histories, pairs at once and lost connections among them, a run holds what it says and ends once`,
  LAW_TIMEOUT,
  async () => {
    await holdsFor(
      fc.array(step, { minLength: 4, maxLength: 16 }),
      { runs: RUNS },
      async (steps) => {
        const { db } = ledger;
        const { userId, perform, listRuns, broken } = await createAccount();
        const ended = new Map<string, unknown>();
        for (const { work, loss } of steps) {
          const all = () => Promise.all(work.map(perform));
          const before = await listRuns();
          if (loss) await losing(loss, db, all);
          else await all();
          // The rules count a run's deductions less its refunds.
          expect(await listAllFaults([userId], db)).toEqual([]);
          expect(broken).toEqual([]);
          const after = await listRuns();
          if (work.length === 1 && work[0]?.do === "sweep")
            expect(after.filter(isRefunded).map(({ id }) => id)).toEqual(
              before.filter((run) => isRefunded(run) || isLost(run)).map(({ id }) => id),
            );
          for (const run of after) {
            expect(run.creditsReserved).toBe(creditsFor("image", run.unitsReserved));
            if (run.status === "settled")
              expect(run.creditsCharged).toBe(
                Math.min(run.creditsReserved, creditsFor("image", run.unitsUsed)),
              );
            const end = ended.get(run.id);
            if (end) expect(run).toEqual(end);
            if (run.status !== "reserved") ended.set(run.id, run);
          }
          const made = await db.imageGeneration.findMany({
            where: { run: { accountId: userId } },
            include: { run: true },
          });
          // The result is there as soon as the run is settled, and none was kept for one that isn't.
          for (const { images, run } of made)
            expect(images).toHaveLength(run.status === "settled" ? run.unitsUsed : 0);
          // An asynchronous run has its job, whatever became of its process.
          expect(await listWithoutJob(userId)).toEqual([]);
        }
        await expectWholeHistory(userId, db);
      },
    );
  },
);
