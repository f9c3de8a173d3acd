import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/grant-run.server";
import { issueDueGrants } from "~/models/billing/subscription-grants.server";
import { auditLedger } from "~/models/credits/audit.server";
import { spendCredits } from "~/models/credits/spends.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { applyEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { createUser } from "../../helpers/credits";
import { installFakeClock } from "../../helpers/fake-clock";
import { createBiller, type PaidPeriod, type Step, steps } from "../../helpers/subscription-model";
import { grantsOf } from "../../helpers/subscriptions";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv();
const RUNS = 80;
const START = new Date("2023-01-31T10:00:00Z");
const DAY = 24 * 60 * 60 * 1000;
let db: Database;
beforeAll(async () => {
  const url = await createTestDatabase();
  await installFakeClock(url, START);
  db = connectDb(url);
});
afterAll(() => db.$disconnect());

const setClock = (at: Date) => db.$executeRaw`UPDATE fake_clock SET at = ${at}::timestamptz`;

interface World {
  now: Date;
  userId: string;
  subscription: ReturnType<typeof newSubscription>;
  biller: ReturnType<typeof createBiller>;
  /** Sent by the provider but not delivered yet. */
  queue: BillingEvent[];
  spends: number;
}

/** Queues the provider's events for a period: the subscription's event, then the paid invoice. */
function tell(world: World, { start, end, interval }: PaidPeriod): void {
  const { subscription } = world;
  world.queue.push(
    subscription.changed(start, end, { occurredAt: start, priceId: `price_starter_${interval}` }),
    subscription.paid(start, end),
  );
}

async function perform(world: World, step: Step): Promise<void> {
  const { biller, userId } = world;
  switch (step.do) {
    case "pass": {
      world.now = new Date(world.now.getTime() + step.days * DAY);
      await setClock(world.now);
      for (const period of biller.renewUntil(world.now)) tell(world, period);
      return;
    }
    case "run":
      if (step.crashes) await crashingRun();
      else await runDueGrants({}, db);
      return;
    case "deliver": {
      const from = Math.min(step.from, Math.max(0, world.queue.length - 1));
      const batch = world.queue.splice(from, step.count);
      for (const event of batch) await applyEvents(db, event);
      if (step.twice) for (const event of batch.toReversed()) await applyEvents(db, event);
      return;
    }
    case "switch": {
      const period = biller.change(world.now, step.interval);
      if (period) tell(world, period);
      return;
    }
    case "spend": {
      world.spends += 1;
      const source = `test:${userId}:${world.spends}`;
      await spendCredits({ userId, amount: step.amount, source }, db);
    }
  }
}

/**
 * Expects no gap between periods that arrive in order, and none for a subscription known from its
 * first period that never changed its interval, in whatever order events arrive: its anchor never
 * moves. If a period arrives after a later one that moved the anchor, the earlier period is over
 * and grants nothing: a provider that is a whole period late has given up by then.
 */
function expectNoGap(grants: Awaited<ReturnType<typeof grantsOf>>, history: Step[]): void {
  const inOrder = history.every((step) => step.do !== "deliver" || step.from === 0);
  const changed = history.some((step) => step.do === "switch");
  const knownFromTheStart = grants[0]?.boundary === START.toISOString();
  if (!inOrder && (changed || !knownFromTheStart)) return;
  const ends = grants.map(({ expiresAt }) => expiresAt);
  expect(grants.slice(1).map(({ boundary }) => boundary)).toEqual(ends.slice(0, -1));
}

/** A run that grants what is due and crashes before it commits. */
async function crashingRun(): Promise<void> {
  const death = new Error("killed");
  await db
    .$transaction(async (transaction) => {
      const rows = await transaction.$queryRaw<{ id: string }[]>`
        SELECT id FROM subscriptions FOR UPDATE`;
      await issueDueGrants(
        rows.map(({ id }) => id),
        transaction,
      );
      throw death;
    })
    .catch((error: unknown) => {
      if (error !== death) throw error;
    });
}

/**
 * Expects grants in order of time, one per boundary, never two at a time; each ends at its
 * boundary's end at the latest.
 */
function expectNoDouble(grants: Awaited<ReturnType<typeof grantsOf>>): void {
  for (const [at, grant] of grants.entries()) {
    const next = grants[at + 1];
    expect((grant.expiresAt ?? "") > grant.boundary).toBe(true);
    if (next) expect(next.boundary >= (grant.expiresAt ?? "")).toBe(true);
  }
}

test(`in ${RUNS} random histories every paid month is granted once, without a gap`, {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.constantFrom("month" as const, "year" as const),
      async (history, interval) => {
        await setClock(START);
        const userId = await createUser(db);
        const world: World = {
          now: START,
          userId,
          subscription: newSubscription(userId),
          biller: createBiller(START, interval),
          queue: [],
          spends: 0,
        };
        tell(world, world.biller.last());
        const list = () => grantsOf(db, { id: "", userId, ...world.subscription });
        for (const step of history) {
          await perform(world, step);
          expectNoDouble(await list());
        }
        // At the end everything arrives, and the daily run has caught up.
        for (const event of world.queue.splice(0)) await applyEvents(db, event);
        for (let run = 0; run < 4; run += 1) await runDueGrants({}, db);

        const grants = await list();
        expectNoDouble(grants);
        expectNoGap(grants, history);
        expect((grants.at(-1)?.expiresAt ?? "") > world.now.toISOString()).toBe(true);
        expect(await auditLedger({}, db)).toMatchObject({ faults: 0 });
        await db.subscription.deleteMany({ where: { userId } });
      },
    ),
    { numRuns: RUNS },
  );
});
