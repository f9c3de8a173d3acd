import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { CREDITS_PER_IMAGE, creditsFor } from "~/catalog";
import type { DatabaseOrTransaction } from "~/db.server";
import { deleteAccount } from "~/models/accounts/deletion.server";
import { getBalance } from "~/models/credits/balance.server";
import { extendRun } from "~/models/metering/extend.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { PLAN } from "../../fixtures/sold";
import { setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUserWith, openLedger } from "../../helpers/credits";
import { holdTransaction, untilWaiting } from "../../helpers/held-transaction";
import { chargeImages, reserveImages, settleImages } from "../../helpers/image-runs";
import { byRun } from "../../helpers/runs";
import { createDueSubscriptions } from "../../helpers/subscriptions";

setUpBillingEnv();
const ledger = openLedger();

const REQUEST = { prompt: "a lake", n: 1, size: "square" } as const;
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

const PAID_FOR = byRun({ few: 20, many: 100 });

test(`of ${10 * PAID_FOR} reservations at once on an account with credits for ${PAID_FOR}, ${PAID_FOR} are made`, async () => {
  const { db } = ledger;
  const userId = await createUserWith(db, PAID_FOR * CREDITS_PER_IMAGE);
  const results = await times(10 * PAID_FOR, () => reserveImages(db, userId, REQUEST));
  expect(results.filter(({ status }) => status === "reserved")).toHaveLength(PAID_FOR);
  expect(results.filter(({ status }) => status === "insufficient")).toHaveLength(9 * PAID_FOR);
  expect(await getBalance(userId, db)).toBe(0);
  expect(await db.meteredRun.count({ where: { accountId: userId } })).toBe(PAID_FOR);
  expect(await listAllFaults([userId], db)).toEqual([]);
});

test("50 runs that extend at once until the account is dry hold what was there", async () => {
  const { db } = ledger;
  const runs = 50;
  const total = 4 * runs * CREDITS_PER_IMAGE + CREDITS_PER_IMAGE - 1;
  const userId = await createUserWith(db, total);
  const ids = await times(runs, () => chargeImages(db, userId, REQUEST));
  const held = await times(runs, async (at) => {
    const runId = ids[at] as string;
    for (let units = 2; ; units += 1) {
      const extended = await extendRun({ runId, units }, db);
      if (extended.status !== "extended") {
        expect(extended).toMatchObject({ status: "insufficient" });
        return creditsFor("image", units - 1);
      }
    }
  });
  const rest = await getBalance(userId, db);
  expect(rest).toBeLessThan(CREDITS_PER_IMAGE);
  expect(held.reduce((sum, credits) => sum + credits, 0) + rest).toBe(total);
  expect(await listAllFaults([userId], db)).toEqual([]);
});

test("an extension that lacks credits first gets the grants that are due", async () => {
  const { db } = ledger;
  await createDueSubscriptions(db, 1);
  const { userId } = await db.subscription.findFirstOrThrow({ select: { userId: true } });
  await createLot(db, userId, CREDITS_PER_IMAGE);
  const runId = await chargeImages(db, userId, REQUEST);
  expect(await getBalance(userId, db)).toBe(0);
  expect(await extendRun({ runId, units: 2 }, db)).toMatchObject({ status: "extended" });
  expect(await getBalance(userId, db)).toBe(PLAN.creditsPerMonth - CREDITS_PER_IMAGE);
  expect(await listAllFaults([userId], db)).toEqual([]);
});

test.each(byRun({ few: ["settled"], many: ["refunded", "settled"] }))(
  "a run with many deductions is %s although the database is far away",
  async (status) => {
    const { db } = ledger;
    const parts = 60;
    const userId = await createUserWith(db, parts * CREDITS_PER_IMAGE);
    const runId = await chargeImages(db, userId, REQUEST);
    for (let units = 2; units <= parts; units += 1)
      expect(await extendRun({ runId, units }, db)).toMatchObject({ status: "extended" });
    const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>;
    const slowed = vi.spyOn(pg.Client.prototype, "query").mockImplementation(async function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return query.apply(this, args);
    } as never);
    onTestFinished(() => void slowed.mockRestore());
    const images = status === "settled" ? [IMAGE] : [];
    expect(await settleImages(db, runId, images)).toMatchObject({ status });
    slowed.mockRestore();
    expect(await getBalance(userId, db)).toBe((parts - images.length) * CREDITS_PER_IMAGE);
  },
  60_000,
);

test("a run ends once, however many end it in whichever way", async () => {
  const { db } = ledger;
  for (let round = 0; round < 10; round += 1) {
    const userId = await createUserWith(db, 10 * CREDITS_PER_IMAGE);
    const runId = await chargeImages(db, userId, { ...REQUEST, n: 4 });
    await db.meteredRun.update({ where: { id: runId }, data: { leaseUntil: new Date(0) } });
    await Promise.all([
      settleImages(db, runId, [IMAGE, IMAGE, IMAGE, IMAGE]),
      settleImages(db, runId, [IMAGE]),
      settleImages(db, runId, []),
      endStaleRuns({ limit: 10 }, db),
      extendRun({ runId, units: 6 }, db),
      settleImages(db, runId, [IMAGE, IMAGE]),
    ]);
    const run = await db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
    expect(run.status).not.toBe("reserved");
    expect((await getBalance(userId, db)) + run.creditsCharged).toBe(10 * CREDITS_PER_IMAGE);
    expect(await listAllFaults([userId], db)).toEqual([]);
  }
});

const deleteAccountOf = (userId: string, db: DatabaseOrTransaction) =>
  deleteAccount({ userId, checkedHash: null, endingSubscriptions: [] }, db);

test.each(["in one statement", "in a transaction"])(
  "a reservation %s that waits for its account's deletion takes nothing, and leaves nothing",
  async (way) => {
    const { db } = ledger;
    const userId = await createUserWith(db, 10 * CREDITS_PER_IMAGE);
    const held = await holdTransaction(db, (transaction) => deleteAccountOf(userId, transaction));
    // The next expiry is over, so that the one statement takes nothing.
    if (way === "in a transaction")
      await db.$executeRaw`UPDATE credit_accounts SET next_expiry_at = now() WHERE user_id = ${userId}::uuid`;
    const reservation = reserveImages(db, userId, REQUEST);
    await untilWaiting(db);
    await held.commit();
    expect(await reservation).toEqual({ status: "account_deleted" });
    expect(await db.meteredRun.count({ where: { accountId: userId } })).toBe(0);
    expect(await getBalance(userId, db)).toBe(10 * CREDITS_PER_IMAGE);
    expect(await listAllFaults([userId], db)).toEqual([]);
  },
);

test("a deletion and reservations at once: the account is deleted without runs, or kept with them", async () => {
  const { db } = ledger;
  const ends = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const userId = await createUserWith(db, 6 * CREDITS_PER_IMAGE);
    const reserve = () => times(2, () => reserveImages(db, userId, REQUEST));
    const early = round % 3 === 0 ? [] : reserve();
    const [deletion, ...reserved] = (
      await Promise.all([deleteAccountOf(userId, db), early, round % 2 ? reserve() : []])
    ).flat();
    const expected = deletion?.status === "deleted" ? "account_deleted" : "reserved";
    for (const { status } of reserved) expect(status).toBe(expected);
    const made = await db.meteredRun.count({ where: { accountId: userId } });
    expect(made).toBe(expected === "reserved" ? reserved.length : 0);
    ends.add(deletion?.status ?? "");
  }
  expect([...ends].sort()).toEqual(["deleted", "generation_running"]);
});
