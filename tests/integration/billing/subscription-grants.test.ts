import { expect, test, vi } from "vitest";
import { connectDb } from "~/db.server";
import { issueGrantsOf, runDueGrants } from "~/models/billing/periods/grant-run.server";
import { issueDueGrants } from "~/models/billing/periods/grants.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { PLAN, TOP_PLAN } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, DAY, inFuture, openLedger } from "../../helpers/credits";
import { interject } from "../../helpers/held-transaction";
import { openSession } from "../../helpers/migrations";
import {
  createDueSubscriptions,
  createSubscription,
  grantsOf,
  monthsFromNow,
  payPeriod,
} from "../../helpers/subscriptions";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv();
const ledger = openLedger();

const expectSound = async () => expect((await auditLedger({}, ledger.db)).faults).toBe(0);

/** A new user's subscription, paid from `months` ago until `years` after that. */
async function behindBy(months: number, { years = 5, planKey = PLAN.planKey as string } = {}) {
  const anchor = monthsFromNow(-months);
  const paidUntil = new Date(anchor);
  paidUntil.setUTCFullYear(anchor.getUTCFullYear() + years);
  const userId = await createUser(ledger.db);
  return createSubscription(ledger.db, { userId, anchor, paidUntil, planKey });
}

const statusTo = (id: string, status: string) =>
  ledger.db.$executeRaw`
    UPDATE subscriptions SET status = ${status}::subscription_status WHERE id = ${id}::uuid`;

test("boundaries keep the anchor's day in every month and time zone", async () => {
  // From January of a leap year on, so that both lengths of February occur.
  const anchor = new Date("2024-01-31T10:00:00Z");
  const userId = await createUser(ledger.db);
  const paidUntil = new Date("2025-04-30T10:00:00Z");
  const subscription = await createSubscription(ledger.db, { userId, anchor, paidUntil });
  await runDueGrants({}, ledger.db);
  const grants = await grantsOf(ledger.db, subscription);
  const boundaries = [
    ...["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31", "2024-06-30"],
    ...["2024-07-31", "2024-08-31", "2024-09-30", "2024-10-31", "2024-11-30", "2024-12-31"],
    ...["2025-01-31", "2025-02-28", "2025-03-31"],
  ].map((date) => `${date}T10:00:00.000Z`);
  expect(grants.map(({ boundary }) => boundary)).toEqual(boundaries);
  expect(grants.map(({ expiresAt }) => expiresAt)).toEqual([
    ...boundaries.slice(1),
    "2025-04-30T10:00:00.000Z",
  ]);
  // All of them have expired: recorded, but nothing to spend.
  expect(await getBalance(userId, ledger.db)).toBe(0);
  expect(grants.every(({ remaining }) => remaining === 0)).toBe(true);
  await expectSound();
});

test("thirty months behind are caught up in three runs: 24, 6, none", async () => {
  // The anchor's own boundary counts; the current month is the thirtieth after it.
  const subscription = await behindBy(29);
  const runs = [];
  for (let run = 0; run < 3; run += 1) runs.push(await runDueGrants({}, ledger.db));
  expect(runs).toMatchObject([
    { grants: 24, subscriptions: 1, credits: 7200, remaining: 1 },
    { grants: 6, subscriptions: 1, credits: 1800, remaining: 0 },
    { grants: 0, subscriptions: 0, credits: 0, remaining: 0 },
  ]);
  const grants = await grantsOf(ledger.db, subscription);
  expect(grants.map(({ boundary }) => boundary)).toEqual(
    Array.from({ length: 30 }, (_, month) => monthsFromNow(month - 29).toISOString()),
  );
  expect(await getBalance(subscription.userId, ledger.db)).toBe(300);
  await expectSound();
});

test("eight runs at once over a hundred due give a hundred grants, and then none", async () => {
  for (let person = 0; person < 100; person += 1) await behindBy(0);
  const runs = await Promise.all(Array.from({ length: 8 }, () => runDueGrants({}, ledger.db)));
  expect(runs.reduce((total, { grants }) => total + grants, 0)).toBe(100);
  expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 0, remaining: 0 });
  await expectSound();
});

test("parallel runs share the work of many batches", async () => {
  await createDueSubscriptions(ledger.db, 1200);
  const inner: Awaited<ReturnType<typeof runDueGrants>>[] = [];
  interject("FOR UPDATE SKIP LOCKED", async () => {
    inner.push(await runDueGrants({}, ledger.db));
  });
  const outer = await runDueGrants({}, ledger.db);
  const grants = [outer, ...inner].map((run) => run.grants);
  expect(grants).toEqual([1000, 200]);
});

test("a user's two subscriptions are both granted, one after the other", async () => {
  const first = await behindBy(2);
  const second = await createSubscription(ledger.db, {
    userId: first.userId,
    anchor: monthsFromNow(-1),
    paidUntil: monthsFromNow(11),
    planKey: TOP_PLAN.planKey,
  });
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 5, subscriptions: 2 });
  expect(await grantsOf(ledger.db, first)).toHaveLength(3);
  expect(await grantsOf(ledger.db, second)).toHaveLength(2);
  expect(await getBalance(first.userId, ledger.db)).toBe(
    PLAN.creditsPerMonth + TOP_PLAN.creditsPerMonth,
  );
  await expectSound();
});

test.each(["incomplete", "past_due", "unpaid", "paused", "expired", "canceled", "unknown"])(
  "while %s nothing is granted",
  async (status) => {
    const subscription = await behindBy(3);
    await statusTo(subscription.id, status);
    expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 0, remaining: 0 });
    expect(await issueGrantsOf(subscription.userId, ledger.db)).toBe(0);
  },
);

test.each(["past_due", "paused", "unpaid"])(
  "after a time of %s the missed boundaries are recorded, and only the current one is spendable",
  async (status) => {
    const subscription = await behindBy(3);
    await statusTo(subscription.id, status);
    await runDueGrants({}, ledger.db);
    await statusTo(subscription.id, "active");
    expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 4 });
    expect(await getBalance(subscription.userId, ledger.db)).toBe(300);
    await expectSound();
  },
);

test("boundaries at or after the paid period's end give nothing until renewal", async () => {
  const userId = await createUser(ledger.db);
  const anchor = monthsFromNow(-2);
  const paidUntil = monthsFromNow(-1);
  const subscription = await createSubscription(ledger.db, { userId, anchor, paidUntil });
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 1 });
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 0, remaining: 0 });
  await payPeriod(ledger.db, subscription, { from: paidUntil, until: monthsFromNow(1) });
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 2 });
  expect(await getBalance(userId, ledger.db)).toBe(300);
});

/** 7 days of a month of 28 to 31, of 300 credits. */
const isShareOfAWeek = (credits: number) => credits >= 68 && credits <= 75;

test("a lot ends with the paid period if that ends before the next boundary", async () => {
  const userId = await createUser(ledger.db);
  const anchor = inFuture(-DAY);
  const paidUntil = inFuture(6 * DAY);
  const subscription = await createSubscription(ledger.db, {
    userId,
    anchor,
    paidUntil,
    status: "trialing",
  });
  await runDueGrants({}, ledger.db);
  expect(await grantsOf(ledger.db, subscription)).toMatchObject([
    // 7 of a month's days, rounded up.
    { expiresAt: paidUntil.toISOString(), remaining: expect.toSatisfy(isShareOfAWeek) },
  ]);
});

test("grants and their expiry leave packs untouched", async () => {
  const subscription = await behindBy(6);
  await createLot(ledger.db, subscription.userId, 500);
  await runDueGrants({}, ledger.db);
  expect(await getBalance(subscription.userId, ledger.db)).toBe(800);
  const spent = await spendCredits(
    { userId: subscription.userId, amount: 400, source: `test:${subscription.id}` },
    ledger.db,
  );
  expect(spent).toMatchObject({ status: "spent", balance: 400 });
});

test("a locked subscription is skipped and delays no other", async () => {
  const held = await behindBy(0);
  const free = await behindBy(0);
  await ledger.db.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT 1 FROM subscriptions WHERE id = ${held.id}::uuid FOR UPDATE`;
    expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 1, remaining: 1 });
  });
  expect(await grantsOf(ledger.db, free)).toHaveLength(1);
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 1, remaining: 0 });
});

test("the webhook's first grant and the daily run at the same instant give one", async () => {
  for (let round = 0; round < 10; round += 1) {
    const subscription = await behindBy(0);
    const byWebhook = ledger.db.$transaction(async (transaction) => {
      await transaction.$queryRaw`
        SELECT 1 FROM subscriptions WHERE id = ${subscription.id}::uuid FOR UPDATE`;
      return issueDueGrants([subscription.id], transaction);
    });
    const [first, second, third] = await Promise.all([
      byWebhook,
      runDueGrants({}, ledger.db),
      issueGrantsOf(subscription.userId, ledger.db),
    ]);
    expect(first.grants + second.grants + (third > 0 ? 1 : 0)).toBe(1);
    expect(await grantsOf(ledger.db, subscription)).toHaveLength(1);
  }
});

test("a run ends even if some grants stay due at the same boundary", async () => {
  // Two that fail and two with more overdue boundaries than one run catches up, next to one that is
  // granted.
  const anchor = monthsFromNow(-29);
  const create = async (planKey: string) =>
    createSubscription(ledger.db, {
      userId: await createUser(ledger.db),
      anchor,
      paidUntil: monthsFromNow(12),
      planKey,
    });
  const bad = [await create("discontinued"), await create("discontinued")];
  for (let person = 0; person < 2; person += 1) await create(PLAN.planKey);
  await behindBy(5);
  const logged = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const run = await runDueGrants({}, ledger.db).finally(() => logged.mockRestore());
  expect(run).toMatchObject({ grants: 2 * 24 + 6, subscriptions: 3, remaining: 4 });
  expect(run.failed.toSorted()).toEqual(bad.map(({ id }) => id).toSorted());
  for (const { id } of bad) await statusTo(id, "canceled");
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 2 * 6, remaining: 0 });
  await expectSound();
});

test("right after a bulk load, without statistics, a run reads no table as a whole, and the queue once", async () => {
  const DUE = 6000;
  const url = await createTestDatabase();
  const loader = connectDb(url);
  await createDueSubscriptions(loader, DUE);
  await loader.$disconnect();
  const observer = await openSession(url);
  // A session reports what it scanned when it ends.
  const reads = async () => {
    const { rows } = await observer.query(`
      SELECT sum(seq_scan)::int AS whole,
        (SELECT idx_tup_read::int FROM pg_stat_user_indexes
          WHERE indexrelname = 'subscriptions_due_idx') AS queue
      FROM pg_stat_user_tables
      WHERE relname IN ('subscriptions', 'credit_accounts', 'credit_transactions')`);
    return rows[0] as { whole: number; queue: number };
  };
  const before = await reads();
  const db = connectDb(url);
  expect(await runDueGrants({}, db)).toMatchObject({ grants: DUE, remaining: 0 });
  await db.$disconnect();
  await expect.poll(async () => (await reads()).queue - before.queue).toBeGreaterThanOrEqual(DUE);
  const after = await reads();
  expect(after.whole - before.whole).toBe(0);
  // Each batch finds its own rows, skips what the previous one left, and everything is counted at
  // the end.
  expect(after.queue - before.queue).toBeLessThan(4 * DUE);
});

test("a run keeps to its limit and reports the rest", async () => {
  for (let person = 0; person < 4; person += 1) await behindBy(0);
  expect(await runDueGrants({ limit: 3 }, ledger.db)).toMatchObject({ grants: 3, remaining: 1 });
  expect(await runDueGrants({ limit: 3 }, ledger.db)).toMatchObject({ grants: 1, remaining: 0 });
});
