import { expect, test, vi } from "vitest";
import { connectDb } from "~/db.server";
import { issueGrantsOf, runDueGrants } from "~/models/billing/periods/grant-run.server";
import { grantCredits } from "~/models/credits/grants.server";
import { startGeneration } from "~/models/images/generate-images.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { tombstoneAddress } from "~/utils/tombstone";
import { PLAN } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createUser, DAY, inFuture, openLedger } from "../../helpers/credits";
import {
  createDueSubscriptions,
  createSubscription,
  grantsOf,
  monthsFromNow,
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

test("one bad subscription is reported, and the others get theirs", async () => {
  const good = await Promise.all(Array.from({ length: 5 }, () => behindBy(0)));
  const bad = await behindBy(0, { planKey: "discontinued" });
  const late = await Promise.all(Array.from({ length: 5 }, () => behindBy(0)));
  const logged = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const run = await runDueGrants({}, ledger.db).finally(() => logged.mockRestore());
  expect(run).toMatchObject({ grants: 10, subscriptions: 10, remaining: 1, failed: [bad.id] });
  for (const subscription of [...good, ...late])
    expect(await grantsOf(ledger.db, subscription)).toHaveLength(1);
  await statusTo(bad.id, "canceled");
  await expectSound();
});

test("a thousand that fail, with the oldest boundaries, keep nobody behind them from their grants", async () => {
  const url = await createTestDatabase();
  const db = connectDb(url);
  await createDueSubscriptions(db, 1000);
  await db.$executeRaw`
    UPDATE subscription_periods SET plan_key = 'gone'`;
  const anchor = new Date(Date.now() - 60 * 60 * 1000);
  const good = await Promise.all(
    Array.from({ length: 5 }, async () =>
      createSubscription(db, {
        userId: await createUser(db),
        anchor,
        paidUntil: inFuture(30 * DAY),
      }),
    ),
  );
  const logged = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const run = await runDueGrants({}, db).finally(() => logged.mockRestore());
  expect(run).toMatchObject({ grants: 5, subscriptions: 5, remaining: 1000 });
  expect(run.failed).toHaveLength(1000);
  for (const subscription of good) expect(await grantsOf(db, subscription)).toHaveLength(1);
  await db.$disconnect();
}, 120_000);

test("a user whose grant fails is short of credits, and gets those of their other plan", async () => {
  const bad = await behindBy(0, { planKey: "discontinued" });
  const request = { prompt: "a cat", n: 1, size: "square" } as const;
  const generate = () =>
    startGeneration(
      { userId: bad.userId, request, idempotencyKey: null, isAsynchronous: false },
      {
        router: { generate: async () => ({ status: "failed" }) } as never,
        checkPrompt: null,
        store: null,
      },
      ledger.db,
    );
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const refused = await generate();
  expect(refused).toMatchObject({ status: "insufficient", balance: 0 });
  const { userId } = bad;
  const anchor = monthsFromNow(0);
  await createSubscription(ledger.db, { userId, anchor, paidUntil: inFuture(30 * DAY) });
  expect(await issueGrantsOf(userId, ledger.db)).toBeGreaterThan(0);
  write.mockRestore();
  await statusTo(bad.id, "canceled");
});

test("a month whose lot is there already fails, and doesn't count as granted", async () => {
  const twice = await behindBy(0);
  const { grantAnchorAt, grantPeriodId } = await ledger.db.subscription.findUniqueOrThrow({
    where: { id: twice.id },
  });
  const boundary = grantAnchorAt?.toISOString();
  const source = `subscription:stripe:${twice.providerSubscriptionId}:${boundary}`;
  const lot = { userId: twice.userId, amount: 300, expiresAt: inFuture(DAY), source };
  await grantCredits({ ...lot, reference: grantPeriodId ?? "" }, ledger.db);
  const logged = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const run = await runDueGrants({}, ledger.db).finally(() => logged.mockRestore());
  expect(run).toMatchObject({ grants: 0, failed: [twice.id] });
  expect(await ledger.db.subscription.findUnique({ where: { id: twice.id } })).toMatchObject({
    nextGrantAt: grantAnchorAt,
    grantsIssued: 0,
  });
  await statusTo(twice.id, "canceled");
});

test("what is left of a deleted account gets no month", async () => {
  const gone = await behindBy(0);
  await ledger.db.user.update({
    where: { id: gone.userId },
    data: { email: tombstoneAddress(gone.userId) },
  });
  expect(await runDueGrants({}, ledger.db)).toMatchObject({ grants: 0, remaining: 0 });
  expect(await issueGrantsOf(gone.userId, ledger.db)).toBe(0);
});
