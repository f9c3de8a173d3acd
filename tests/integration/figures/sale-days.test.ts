import { expect, test } from "vitest";
import { listFigureFaults, makeFigureDays, markDaysDue } from "~/models/figures/figure-days.server";
import { listRevenueMonths, listSignUpMonths } from "~/models/figures/sale-figures.server";
import { SALE_SUMS } from "~/models/figures/sale-sums.server";
import { getSummedDays } from "~/models/figures/summed-credits.server";
import { keepImages } from "~/models/images/keep-images.server";
import { settleRun } from "~/models/metering/settle.server";
import { PACK, PLAN_MONTHLY } from "../../fixtures/sold";
import {
  applyEvents,
  newSubscription,
  orderDisputed,
  orderRefunded,
  packCheckout,
  setUpBillingEnv,
} from "../../helpers/billing";
import { afterSummingUp, createLot, createUser, DAY, openLedger } from "../../helpers/credits";
import { chargeImages } from "../../helpers/image-runs";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";
import { expectSalesAddUp } from "../../helpers/sales-by-hand";
import { setClock } from "../../helpers/subscription-world";

setUpBillingEnv();
// Defaults of columns keep the real time: rows are written today, and the database's clock moves on to tomorrow.
const NOW = afterSummingUp();
const ledger = openLedger({ clock: NOW });
const ago = (days: number) => new Date(NOW.getTime() - days * DAY);
const dayOf = (daysAgo: number) => ago(daysAgo).toISOString().slice(0, 10);

const SIGNED_UP = 6;

/** A person who signed up six days ago. */
async function createPerson(): Promise<string> {
  const id = await createUser(ledger.db);
  await ledger.db.user.update({ where: { id }, data: { createdAt: ago(SIGNED_UP) } });
  return id;
}

/** A run for one image that began so many days ago. */
async function runOnce(userId: string, costUsdMicros: number, daysAgo = 0): Promise<string> {
  const { db } = ledger;
  const runId = await chargeImages(db, userId, { prompt: "a hill", n: 1, size: "square" });
  const own = keepImages([{ url: "https://example.com/a.png", persisted: false, fileId: null }]);
  await settleRun({ runId, unitsUsed: 1, provider: "fal", model: "m", costUsdMicros, own }, db);
  await db.meteredRun.update({ where: { id: runId }, data: { createdAt: ago(daysAgo) } });
  return runId;
}

/** Sums the days that are due, and expects all sums to equal those by hand. Returns how many days were due. */
async function settle(): Promise<number> {
  const made = await makeFigureDays({ limit: 100 }, ledger.db);
  const faults: { table: string }[] = [];
  await listFigureFaults((fault) => faults.push(fault), ledger.db);
  // The ledger's rows keep the real time: here they are written on a day that is summed.
  const tables = SALE_SUMS.summaries.map(({ name }) => name);
  expect(faults.filter(({ table }) => tables.includes(table))).toEqual([]);
  await expectSalesAddUp(ledger.db);
  return made;
}

/** The money of all days, by product. */
async function moneyOf(product: string) {
  const days = { first: dayOf(30), last: dayOf(0) };
  const months = await listRevenueMonths(days, ledger.db);
  const own = months.filter((month) => month.product === product);
  return [
    own.reduce((sum, { paid }) => sum + paid, 0),
    own.reduce((sum, { returned }) => sum + returned, 0),
  ];
}

const people = { buyer: "", other: "" };
let sold: ReturnType<typeof packCheckout>;

test("sales, sign-ups, first payments and costs of each day equal sums by hand", async () => {
  const { db } = ledger;
  const [buyer, other, guest] = [
    await createPerson(),
    await createPerson(),
    await createPerson(),
  ] as const;
  Object.assign(people, { buyer, other });
  sold = packCheckout(other);
  await applyEvents(db, packCheckout(buyer), packCheckout(buyer), sold);
  await createLot(db, guest, 100);
  await runOnce(guest, 5_000);
  await runOnce(buyer, 3_000, 2);
  await runOnce(buyer, 3_000);
  // The first day is the one of the first sign-up, before any row of the ledger.
  expect(await settle()).toBe(SIGNED_UP);
  await setClock(db, new Date(NOW.getTime() + DAY));
  expect(await settle()).toBe(1);
  expect(await settle()).toBe(0);
  const days = { first: dayOf(30), last: dayOf(0) };
  const [month] = (await listSignUpMonths(days, db)).filter(({ buyers }) => buyers > 0);
  expect(month).toMatchObject({ buyers: 2, soon: 2 });
});

test("a sale that is told days later makes its day due again, and may be the first of its buyer", async () => {
  const { db } = ledger;
  const subscription = newSubscription(people.buyer);
  const [start, end] = [ago(3), ago(-27)];
  await applyEvents(db, subscription.changed(start, end, { startedAt: start }));
  await settle();
  const paid = subscription.paid(start, end, { paidAt: ago(3) });
  await applyEvents(db, paid);
  // The day on which it was paid, and the one that had the first payment before.
  expect(await settle()).toBeGreaterThanOrEqual(2);
  expect((await moneyOf(PLAN_MONTHLY))[0]).toBeGreaterThan(0);
  expect(await db.firstPurchase.findMany({ where: { accountId: people.buyer } })).toMatchObject([
    { day: new Date(dayOf(3)) },
  ]);
});

test("a return that is told late, changes or fails makes the days of its sale due again", async () => {
  const { db } = ledger;
  const returned = async () => (await moneyOf(PACK.skuKey))[1];
  await applyEvents(db, orderRefunded(sold, 100, { occurredAt: ago(2), returnId: "re_1" }));
  expect(await settle()).toBeGreaterThan(0);
  expect(await returned()).toBe(100);
  const dispute = { occurredAt: ago(1), returnId: "dp_1" };
  await applyEvents(db, orderDisputed(sold, 400, { ...dispute, state: "open" }));
  expect(await settle()).toBeGreaterThan(0);
  expect(await returned()).toBe(500);
  await applyEvents(db, orderDisputed(sold, 400, { ...dispute, state: "won" }));
  expect(await settle()).toBeGreaterThan(0);
  expect(await returned()).toBe(100);
  expect(await settle()).toBe(0);
});

test("a day whose costs change makes the days due whose costliest accounts it counts for, and no other", async () => {
  const { db } = ledger;
  const runId = await runOnce(people.other, 9_000, 2);
  const only = { first: dayOf(2), last: dayOf(2) };
  await markDaysDue(only, db);
  expect(await settle()).toBe(3);
  await markDaysDue(only, db);
  expect(await settle()).toBe(1);
  await db.meteredRun.update({ where: { id: runId }, data: { costUsdMicros: 1_000n } });
  await markDaysDue(only, db);
  expect(await settle()).toBe(3);
});

test("days that an earlier version summed are in no figure until their sales are summed, too", async () => {
  const { db } = ledger;
  const session = await openSession(ledger.url);
  await session.query("UPDATE figure_days SET is_sales_due = DEFAULT, sales_made_at = NULL");
  await session.query("TRUNCATE sale_days, sign_up_days, first_purchases, costly_days");
  expect(await getSummedDays(db)).toBeNull();
  expect(await makeFigureDays({ limit: 2 }, db)).toBe(2);
  expect(await getSummedDays(db)).toEqual({ first: dayOf(6), last: dayOf(5) });
  await expectSalesAddUp(db);
  expect(await settle()).toBe(SIGNED_UP - 1);
});

test("verify names each sum that isn't the sum of its rows", async () => {
  const session = await openSession(ledger.url);
  const tables = {
    sale_days: "paid = paid + 1",
    sign_up_days: "sign_ups = sign_ups + 1",
    first_purchases: "waited = waited + 1",
    costly_days: "runs = runs + 1",
  };
  for (const [table, change] of Object.entries(tables))
    await session.query(`UPDATE ${table} SET ${change}`);
  const { stdout, code } = await runScript("scripts/ledger/ledger.command.ts", ["verify"], {
    DATABASE_URL: ledger.url,
  });
  expect(code).toBe(1);
  for (const table of Object.keys(tables)) expect(stdout).toContain(`  ${table}: `);
});
