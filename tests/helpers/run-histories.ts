import { randomBytes } from "node:crypto";
import fc from "fast-check";
import type { Database } from "~/db.server";
import type { MeteredRun } from "~/generated/prisma/client";
import { bookExpiries } from "~/models/credits/expiries.server";
import { extendRun } from "~/models/metering/extend.server";
import { refundRun } from "~/models/metering/settle.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { PACK } from "../fixtures/sold";
import { applyEvents, orderRefunded, packCheckout } from "./billing";
import { createLot, createUser, HOUR, passTime } from "./credits";
import { reserveSteps, settleSteps, unitsOf } from "./metered-actions";
import { CONTINUATIONS, createRunProcesses } from "./run-processes";

const nth = fc.nat({ max: 3 });
const few = fc.integer({ min: 1, max: 4 });
const many = fc.integer({ min: 1, max: 9 });

const reserve = fc.record({
  do: fc.constant("reserve" as const),
  action: fc.constantFrom("image" as const, "image" as const, "text" as const),
  steps: few,
  key: fc.option(nth),
  isByProgram: fc.boolean(),
  isAsynchronous: fc.boolean(),
});
const extend = fc.record({
  do: fc.constant("extend" as const),
  nth,
  steps: many,
  isLate: fc.nat({ max: 3 }).map((drawn) => drawn === 0),
});
const settle = fc.record({ do: fc.constant("settle" as const), nth, steps: many });
const refund = fc.record({ do: fc.constant("refund" as const), nth });

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
  { weight: 5, arbitrary: reserve },
  { weight: 3, arbitrary: extend },
  { weight: 4, arbitrary: settle },
  { weight: 2, arbitrary: refund },
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
      images: few,
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

const end = fc.oneof(settle, refund);
/** Two processes end one run, or extend it, or two requests come with one key. */
const rivals = fc.oneof(
  fc.tuple(end, end, nth).map(([one, other, nth]) => [
    { ...one, nth },
    { ...other, nth },
  ]),
  fc.tuple(extend, extend, nth).map(([one, other, nth]) => [
    { ...one, nth },
    { ...other, nth },
  ]),
  fc.tuple(reserve, reserve, nth).map(([one, other, key]) => [
    { ...one, key },
    { ...other, action: one.action, key },
  ]),
);

interface Step {
  /** One operation, two at once, or one whose connection is lost on the way. */
  work: Operation[];
  loss: { nth: number; how: "unsent" | "unheard" } | null;
}

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ work: pass.map((one) => [one]), loss: fc.constant(null) }) },
  {
    weight: 5,
    arbitrary: fc.record({ work: operation.map((one) => [one]), loss: fc.constant(null) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ work: fc.tuple(operation, operation), loss: fc.constant(null) }),
  },
  { weight: 3, arbitrary: fc.record({ work: rivals, loss: fc.constant(null) }) },
  { weight: 3, arbitrary: fc.record({ work: operation.map((one) => [one]), loss }) },
);

/**
 * An account whose owner buys, returns, and runs what is metered, with credits and a run of each action. What runs came
 * to is added to `seen`.
 */
export async function createMeteredAccount(db: Database, seen: Set<string>) {
  const userId = await createUser(db);
  await db.creditAccount.create({ data: { userId } });
  const key = { name: "A program", prefix: "k", scopes: [], tokenHash: randomBytes(32) };
  const { id: apiKeyId } = await db.apiKey.create({
    data: { accountId: userId, actorId: userId, ...key },
  });
  const processes = createRunProcesses(db, userId);
  const sold: { pack: ReturnType<typeof packCheckout>; back: number }[] = [];
  const listRuns = () =>
    db.meteredRun.findMany({
      where: { accountId: userId },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
  /** The newest first, since the oldest have ended. */
  const runAt = async (at: number) => (await listRuns()).at(-1 - at);
  // Another step of the pair may have ended the run meanwhile.
  const endTimeOf = ({ id }: MeteredRun) =>
    db.meteredRun.updateMany({
      where: { id, status: "reserved" },
      data: { deadlineAt: new Date() },
    });

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
        const { action, isAsynchronous } = next;
        const who = { userId, apiKeyId: next.isByProgram ? apiKeyId : null };
        const asked = { ...who, action, steps: next.steps, idempotencyKey, isAsynchronous };
        seen.add(`${action} ${(await reserveSteps(asked, db)).status}`);
        return;
      }
      case "extend": {
        const run = await runAt(next.nth);
        if (!run) return;
        if (next.isLate) await endTimeOf(run);
        const { status } = await extendRun({ runId: run.id, units: unitsOf(run, next.steps) }, db);
        seen.add(`${run.action} ${status}`);
        if (next.isLate && status !== "ended")
          processes.broken.push(`run ${run.id} grew past its end`);
        return;
      }
      case "settle": {
        const run = await runAt(next.nth);
        if (!run) return;
        const settled = await settleSteps(run, next.steps, db);
        seen.add(`${run.action} ${settled?.status ?? "had ended"}`);
        return;
      }
      case "refund": {
        const run = await runAt(next.nth);
        if (!run) return;
        const refunded = await refundRun({ runId: run.id, error: "generation_failed" }, db);
        seen.add(`${run.action} ${refunded?.status ?? "had ended"}`);
        return;
      }
      case "call":
      case "accept":
      case "pause":
      case "release": {
        const run = await runAt(next.nth);
        if (run) await processes[next.do](run.id);
        return;
      }
      case "be late": {
        const run = await runAt(next.nth);
        if (run) await endTimeOf(run);
        return;
      }
      case "resume":
        return processes.resume(next.images, next.how);
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
  await createLot(db, userId, 60);
  const begun = { do: "reserve", steps: 2, key: null, isByProgram: false } as const;
  await perform({ ...begun, action: "image", isAsynchronous: true });
  await perform({ ...begun, action: "text", isAsynchronous: false });
  return { userId, perform, listRuns, broken: processes.broken };
}
