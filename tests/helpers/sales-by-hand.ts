import { expect } from "vitest";
import type { Database } from "~/db.server";
import { listRevenue } from "~/models/figures/revenue.server";
import { listCostlyAccounts } from "~/models/figures/run-figures.server";
import { listRevenueMonths, listSignUpMonths } from "~/models/figures/sale-figures.server";
import { getSummedDays, type SummedDays } from "~/models/figures/summed-credits.server";

const DAY = 24 * 60 * 60 * 1000;
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const monthOf = (date: Date) => date.toISOString().slice(0, 7);
const isIn = (date: Date, { first, last }: SummedDays) =>
  dayOf(date) >= first && dayOf(date) <= last;

/** The payments of each account, by its id. */
async function readPayments(db: Database): Promise<Map<string, Date[]>> {
  const payments = new Map<string, Date[]>();
  const add = (userId: string, at: Date) =>
    payments.set(userId, [...(payments.get(userId) ?? []), at]);
  for (const { userId, paidAt } of await db.order.findMany()) if (paidAt) add(userId, paidAt);
  const periods = await db.subscriptionPeriod.findMany({ include: { subscription: true } });
  for (const { kind, amount, paidAt, createdAt, subscription } of periods)
    if (kind !== "trial" && amount !== null) add(subscription.userId, paidAt ?? createdAt);
  return payments;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

async function signUpsByHand(days: SummedDays, db: Database) {
  const payments = await readPayments(db);
  const waits = new Map<string, { signUps: number; waited: number[] }>();
  for (const { id, createdAt } of await db.user.findMany()) {
    if (!isIn(createdAt, days)) continue;
    const month = waits.get(monthOf(createdAt)) ?? { signUps: 0, waited: [] };
    waits.set(monthOf(createdAt), month);
    month.signUps += 1;
    const firstAt = Math.min(...(payments.get(id) ?? []).map((at) => at.getTime()));
    // A payment of a day that isn't summed up yet doesn't count.
    if (!Number.isFinite(firstAt) || dayOf(new Date(firstAt)) > days.last) continue;
    month.waited.push(Math.max(0, firstAt - createdAt.getTime()) / DAY);
  }
  return [...waits]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, { signUps, waited }]) => ({
      ...{ month, signUps, buyers: waited.length },
      soon: waited.filter((wait) => wait < 30).length,
      medianDays: waited.length === 0 ? null : expect.closeTo(median(waited), 5),
    }));
}

/** The costs of the accounts' runs of the 30 days that end with this one, the highest first. */
async function costsByHand(last: string, db: Database) {
  const first = dayOf(new Date(Date.parse(last) - 29 * DAY));
  const byDay = new Map<string, { userId: string; runs: number; credits: number; cost: number }>();
  for (const run of await db.meteredRun.findMany()) {
    if (!isIn(run.createdAt, { first, last })) continue;
    const key = `${dayOf(run.createdAt)} ${run.accountId}`;
    const sum = byDay.get(key) ?? { userId: run.accountId, runs: 0, credits: 0, cost: 0 };
    byDay.set(key, sum);
    sum.runs += 1;
    sum.credits += run.creditsCharged;
    sum.cost += Number(run.costUsdMicros ?? 0);
  }
  const sums = new Map<string, { runs: number; credits: number; cost: number }>();
  for (const { userId, runs, credits, cost } of byDay.values()) {
    // A day without a known cost isn't counted.
    if (cost === 0) continue;
    const sum = sums.get(userId) ?? { runs: 0, credits: 0, cost: 0 };
    sums.set(userId, {
      runs: sum.runs + runs,
      credits: sum.credits + credits,
      cost: sum.cost + cost,
    });
  }
  return [...sums]
    .map(([userId, { runs, credits, cost: costUsdMicros }]) => {
      return { userId, runs, credits, costUsdMicros };
    })
    .sort((a, b) => b.costUsdMicros - a.costUsdMicros || (a.userId < b.userId ? -1 : 1))
    .slice(0, 20);
}

/**
 * Expects the summed sales, sign-ups and costs of all days that are summed up to equal sums made by hand; the sales also to
 * equal the report's, which `expectMonthsAddUp` adds up by hand.
 */
export async function expectSalesAddUp(db: Database): Promise<void> {
  const days = await getSummedDays(db);
  if (!days) throw new Error("no day is summed up");
  const span = { from: new Date(days.first), to: new Date(Date.parse(days.last) + DAY) };
  const byKey = (rows: { month: string; product: string; currency: string }[]) =>
    rows.toSorted((a, b) =>
      `${a.month} ${a.currency} ${a.product}` < `${b.month} ${b.currency} ${b.product}` ? -1 : 1,
    );
  expect(byKey(await listRevenueMonths(days, db))).toEqual(byKey(await listRevenue(span, db)));
  expect(await listSignUpMonths(days, db)).toEqual(await signUpsByHand(days, db));
  const costly = await listCostlyAccounts(days.last, db);
  expect(costly.map(({ email, ...row }) => row)).toEqual(await costsByHand(days.last, db));
}
