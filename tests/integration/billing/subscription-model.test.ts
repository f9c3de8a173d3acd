import fc from "fast-check";
import { expect, test } from "vitest";
import { monthlyCredits } from "~/models/billing/periods/periods.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { openLedger } from "../../helpers/credits";
import { expectMonthsAddUp } from "../../helpers/month-report";
import { byRun, holdsFor, LAW_TIMEOUT } from "../../helpers/runs";
import { silenceLog } from "../../helpers/silence-log";
import { type Interval, ordinarySteps, unusualSteps } from "../../helpers/subscription-model";
import {
  createWorld,
  perform,
  removeWorld,
  settle,
  type World,
} from "../../helpers/subscription-world";
import { grantsOf } from "../../helpers/subscriptions";

setUpBillingEnv();
silenceLog();
const RUNS = byRun({ few: 6, many: 400 });
const START = new Date("2023-01-31T10:00:00Z");
const DAY = 24 * 60 * 60 * 1000;
const ledger = openLedger({ clock: START });

type Grants = Awaited<ReturnType<typeof grantsOf>>;
const list = async ({ userId, subscription }: World): Promise<Grants> => {
  const grants = await grantsOf(ledger.db, { id: "", userId, ...subscription });
  return grants.sort((a, b) => (a.boundary < b.boundary ? -1 : 1));
};

/**
 * Without those of closed periods: what was left of them went back. Of a month that was paid for again
 * after a refund only the first lot: the others give what was missing, see `returns-law.test.ts`.
 */
async function listStanding(world: World): Promise<Grants> {
  const { userId, subscription } = world;
  const prefix = `subscription:stripe:${subscription.providerSubscriptionId}:`;
  const gone = await ledger.db.$queryRaw<{ boundary: string }[]>`
    WITH lot AS (
      SELECT lot.id, source, closed_at IS NOT NULL AS is_closed, row_number() OVER (
          PARTITION BY starts_at, ends_at, plan_key, expires_at, closed_at IS NOT NULL ORDER BY lot.id
        ) AS number
      FROM credit_transactions lot JOIN subscription_periods paid ON paid.id::text = reference
      WHERE user_id = ${userId}::uuid AND type = 'grant' AND source LIKE 'subscription:%'
    )
    SELECT replace(source, ${prefix}, '') AS boundary FROM lot WHERE is_closed OR number > 1`;
  const boundaries = new Set(gone.map(({ boundary }) => boundary));
  return (await list(world)).filter(({ boundary }) => !boundaries.has(boundary));
}

/** Expects one grant per boundary, never two at a time; each ends at its boundary's end at the latest. */
function expectNoDouble(grants: Grants): void {
  for (const [at, grant] of grants.entries()) {
    const next = grants[at + 1];
    expect((grant.expiresAt ?? "") > grant.boundary).toBe(true);
    if (next) expect(next.boundary >= (grant.expiresAt ?? "")).toBe(true);
  }
}

interface Lot {
  plans: string[];
  startsAt: Date;
  endsAt: Date;
  amount: number;
  boundary: string;
  expiresAt: Date;
  isUpgrade: boolean;
}

/**
 * Every grant lies in its period, and gives at most a month of the dearest plan that was paid for from
 * the period's start on, a lot of 27 days and more counted whole.
 */
async function expectPaidFor({ userId }: World): Promise<void> {
  const lots = await ledger.db.$queryRaw<Lot[]>`
    SELECT array_agg(same.plan_key) AS plans, paid.starts_at AS "startsAt", paid.ends_at AS "endsAt",
      lot.amount, substring(source FROM '[0-9-]{10}T[0-9:.]{12}Z') AS boundary,
      expires_at AS "expiresAt", source LIKE 'upgrade:%' AS "isUpgrade"
    FROM credit_transactions lot JOIN subscription_periods paid ON reference = paid.id::text
      JOIN subscription_periods same USING (subscription_id, starts_at)
    WHERE user_id = ${userId}::uuid AND type = 'grant' GROUP BY lot.id, paid.id`;
  for (const lot of lots) {
    const from = lot.isUpgrade ? lot.startsAt : new Date(lot.boundary);
    const days = (lot.expiresAt.getTime() - from.getTime()) / DAY;
    const credits = dearest(lot.plans);
    expect(from >= lot.startsAt && lot.expiresAt <= lot.endsAt).toBe(true);
    expect(lot.amount).toBeLessThanOrEqual(days >= 27 ? credits : Math.ceil((credits * days) / 28));
  }
}

const dearest = (plans: string[]) => Math.max(...plans.map(monthlyCredits));

/** Expects no grant of a period that was closed before; remembers the periods closed by now. */
async function expectClosed({ userId }: World, grantsAtClose: Map<string, number>): Promise<void> {
  const closed = await ledger.db.$queryRaw<{ id: string; grants: number }[]>`
    SELECT id::text, (SELECT count(*)::int FROM credit_transactions
      WHERE reference = paid.id::text AND type = 'grant') AS grants
    FROM subscription_periods paid
    WHERE closed_at IS NOT NULL
      AND subscription_id IN (SELECT id FROM subscriptions WHERE user_id = ${userId}::uuid)`;
  for (const { id, grants } of closed) {
    expect(grants).toBe(grantsAtClose.get(id) ?? grants);
    grantsAtClose.set(id, grants);
  }
}

const interval = fc.constantFrom("month" as const, "year" as const);

/** Removes the world also after a failure: what it leaves would fail the shorter histories, too. */
async function inWorld(
  startInterval: Interval,
  live: (world: World) => Promise<void>,
): Promise<void> {
  const world = await createWorld(ledger.db, START, startInterval);
  try {
    await live(world);
  } finally {
    await removeWorld(world);
  }
}

test(`in ${RUNS} random histories every paid month is granted once, without a gap`, {
  ...LAW_TIMEOUT,
}, async () => {
  await holdsFor(fc.tuple(ordinarySteps, interval), { runs: RUNS }, ([history, startInterval]) =>
    inWorld(startInterval, async (world) => {
      for (const step of history) {
        await perform(world, step);
        expectNoDouble(await list(world));
      }
      await settle(world);
      const grants = await list(world);
      expectNoDouble(grants);
      // However late a period is told of, its own months are granted, and a gap is none.
      const ends = grants.map(({ expiresAt }) => expiresAt);
      expect(grants.slice(1).map(({ boundary }) => boundary)).toEqual(ends.slice(0, -1));
      expect((grants.at(-1)?.expiresAt ?? "") > world.now.toISOString()).toBe(true);
      await expectPaidFor(world);
      expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
      await expectMonthsAddUp(ledger.db);
    }),
  );
});

test(`in ${RUNS} random histories with refunds, disputes, changes of plan and lost events nobody gets more than was paid for`, {
  ...LAW_TIMEOUT,
}, async () => {
  await holdsFor(fc.tuple(unusualSteps, interval), { runs: RUNS }, ([history, startInterval]) =>
    inWorld(startInterval, async (world) => {
      const grantsAtClose = new Map<string, number>();
      for (const step of history) {
        await perform(world, step);
        expectNoDouble(await listStanding(world));
        await expectPaidFor(world);
        await expectClosed(world, grantsAtClose);
      }
      await settle(world);
      expectNoDouble(await listStanding(world));
      await expectPaidFor(world);
      await expectClosed(world, grantsAtClose);
      expect(await auditLedger({}, ledger.db)).toMatchObject({ faults: 0 });
      await expectMonthsAddUp(ledger.db);
    }),
  );
});
