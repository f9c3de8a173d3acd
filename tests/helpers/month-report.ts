import { expect } from "vitest";
import type { Database } from "~/db.server";
import { reportMonth } from "~/models/figures/month-report.server";
import { type Month, parseMonth } from "~/models/figures/months";
import { SALE_SUMS, saleDays } from "~/models/figures/sale-sums.server";
import {
  getSummedDays,
  listCreditMonths,
  listOutstanding,
} from "~/models/figures/summed-credits.server";
import { expectSalesAddUp } from "./sales-by-hand";

/** All rows that a report is made of, read whole. */
async function readRows(db: Database) {
  const entries = await db.creditTransaction.findMany({
    orderBy: { id: "asc" },
    include: { allocations: true },
  });
  const orders = await db.order.findMany({ where: { paidAt: { not: null } } });
  const periods = await db.subscriptionPeriod.findMany({ orderBy: { createdAt: "asc" } });
  return { entries, orders, periods };
}

type Rows = Awaited<ReturnType<typeof readRows>>;
type Entry = Rows["entries"][number];
type Period = Rows["periods"][number];

type Span = Pick<Month, "from" | "to">;

const monthOf = (date: Date) => date.toISOString().slice(0, 7);
const slotOf = ({ planKey, period }: Period) =>
  `${planKey}_${period === "month" ? "monthly" : "annual"}`;

/** Counts the months of a period one by one. */
function countMonths({ startsAt, endsAt }: Period): number {
  let months = 1;
  const boundary = (count: number) => {
    const date = new Date(startsAt);
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + count);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(startsAt.getUTCDate(), last));
    return date.getTime();
  };
  while (boundary(months) <= endsAt.getTime() - 4 * 24 * 60 * 60 * 1000) months += 1;
  return months;
}

interface Priced {
  product: string;
  currency: string | null;
  /** Null while it isn't known. */
  price: number | null;
}

const isAdded = ({ source }: Entry) => source.startsWith("upgrade:");

/** The price of a credit of this lot, written again apart from the report's SQL. */
function priceOf(lot: Entry, { entries, orders, periods }: Rows): Priced {
  const order = orders.find(({ id }) => id === lot.reference);
  if (order)
    return {
      product: order.skuKey,
      currency: order.currency,
      price: Number(order.amount) / order.credits,
    };
  const period = periods.find(({ id }) => id === lot.reference);
  if (!period) return { product: "free", currency: null, price: 0 };
  const product = slotOf(period);
  if (period.kind === "trial") return { product, currency: null, price: 0 };
  const isOwn = period.kind !== "upgrade" || lot.type === "adjustment" || isAdded(lot);
  const payers = [period];
  if (!isOwn)
    for (const other of periods)
      if (
        other.subscriptionId === period.subscriptionId &&
        other.kind !== "trial" &&
        other.endsAt.getTime() === period.endsAt.getTime() &&
        other.startsAt <= period.startsAt &&
        payers.every(({ planKey }) => planKey !== other.planKey)
      )
        payers.push(other);
  if (payers.some(({ amount }) => amount === null)) return { product, currency: null, price: null };
  const grants = entries.filter(({ id, type }) => type === "grant" && id <= lot.id);
  const own = grants.filter(({ reference }) => reference === period.id);
  const wantsAdded = period.kind === "upgrade" && isOwn;
  const isOfPlan = ({ subscriptionId, planKey }: Period) =>
    subscriptionId === period.subscriptionId && planKey === period.planKey;
  const first =
    own.find((row) => isAdded(row) === wantsAdded) ??
    own[0] ??
    grants.find(({ reference }) => periods.some((it) => it.id === reference && isOfPlan(it))) ??
    lot;
  const paid = payers.reduce((sum, payer) => sum + Number(payer.amount) / countMonths(payer), 0);
  return { product, currency: period.currency, price: paid / first.amount };
}

function movementOf({ type, source, reference }: Entry, { orders, periods }: Rows): string {
  const isSale =
    orders.some(({ id }) => id === reference) ||
    periods.some(({ id, kind }) => id === reference && kind !== "trial");
  if (type === "grant") return isSale ? "sold" : "granted";
  if (type === "adjustment")
    return source.startsWith("adjustment:returned:") && !reference?.startsWith("operator:")
      ? "returned"
      : "adjusted";
  const others = { deduction: "spent", refund: "spent", expiry: "expired", reversal: "returned" };
  return others[type];
}

/** The credits of the month, each row counted in its month. */
function sumByHand(rows: Rows, { from, to }: Span) {
  const credits: Record<string, number> = { opening: 0, closing: 0 };
  for (const movement of ["sold", "granted", "adjusted", "spent", "expired", "returned"])
    credits[movement] = 0;
  const add = (line: string, amount: number) => {
    credits[line] = (credits[line] ?? 0) + amount;
  };
  for (const entry of rows.entries) {
    if (entry.createdAt < from) add("opening", entry.amount);
    if (entry.createdAt < to) add("closing", entry.amount);
    if (entry.createdAt >= from && entry.createdAt < to) add(movementOf(entry, rows), entry.amount);
  }
  return credits;
}

/** The rest of each lot at the end, by product, and its worth before rounding. */
function holdByHand(rows: Rows, { to }: Span) {
  const held = new Map<string, { credits: number; worth: number }>();
  const before = rows.entries.filter(({ createdAt }) => createdAt < to);
  for (const lot of before) {
    if (lot.remaining === null) continue;
    let rest = lot.amount;
    for (const { allocations } of before)
      for (const { lotId, amount } of allocations) if (lotId === lot.id) rest += amount;
    if (rest === 0) continue;
    const { product, currency, price } = priceOf(lot, rows);
    const key = `${product} ${price === null ? "unknown" : currency}`;
    const sum = held.get(key) ?? { credits: 0, worth: 0 };
    held.set(key, { credits: sum.credits + rest, worth: sum.worth + rest * (price ?? 0) });
  }
  return held;
}

/** Sums paid and returned, of all times together, by product and currency. */
function revenueByHand({ orders, periods }: Rows): Map<string, { paid: number; returned: number }> {
  const sums = new Map<string, { paid: number; returned: number }>();
  const add = (key: string, paid: number, returned: number) => {
    const sum = sums.get(key) ?? { paid: 0, returned: 0 };
    sums.set(key, { paid: sum.paid + paid, returned: sum.returned + returned });
  };
  for (const { skuKey, currency, amount, amountRefunded, amountDisputed } of orders) {
    const away = Number(amountRefunded + amountDisputed);
    add(`${skuKey} ${currency}`, Number(amount), Math.min(Number(amount), away));
  }
  for (const period of periods)
    if (period.kind !== "trial" && period.amount !== null)
      add(
        `${slotOf(period)} ${period.currency}`,
        Number(period.amount),
        Number(period.amountReturned),
      );
  return sums;
}

/** A month's money as the summaries of its days would have it now. */
async function sumDays({ name, from, to }: Month, db: Database) {
  const days = { first: from.toISOString().slice(0, 10), last: lastDayBefore(to) };
  const steps = await SALE_SUMS.steps(days, db);
  return db.$queryRaw`
    WITH ${steps} SELECT ${name}::text AS month, product, currency, sum(paid)::float8 AS paid,
      sum(returned)::float8 AS returned
    FROM (${saleDays.rows(days)}) AS sum GROUP BY product, currency ORDER BY currency COLLATE "C", product COLLATE "C"`;
}

const lastDayBefore = (time: Date) => new Date(time.getTime() - DAY).toISOString().slice(0, 10);

const DAY = 24 * 60 * 60 * 1000;

/**
 * Expects the report of each month that has rows, and of the one before, to add up and to equal sums made by hand.
 * Returns the number of months.
 */
export async function expectMonthsAddUp(db: Database): Promise<number> {
  const rows = await readRows(db);
  const dates = [
    ...rows.entries.map(({ createdAt }) => createdAt),
    ...rows.orders.flatMap(({ paidAt }) => paidAt ?? []),
    ...rows.periods.map(({ paidAt, createdAt }) => paidAt ?? createdAt),
    ...(await db.paymentReturn.findMany()).map((row) => row.providerAt ?? row.heardAt),
  ];
  const revenue = new Map<string, { paid: number; returned: number }>();
  const names = [...new Set(dates.map(monthOf))].sort();
  for (const name of names) {
    const month = parseMonth(name);
    if (!month) throw new Error(`${name} is no month`);
    const report = await reportMonth(month, db);
    expect(report.differences).toEqual([]);
    expect(report.credits).toEqual(sumByHand(rows, month));
    const held = holdByHand(rows, month);
    expect(report.outstanding.map(({ credits }) => credits).sort()).toEqual(
      [...held.values()].map(({ credits }) => credits).sort(),
    );
    for (const { product, currency, credits, worth } of report.outstanding) {
      const own = held.get(`${product} ${worth === null ? "unknown" : currency}`);
      expect(credits).toBe(own?.credits);
      if (worth !== null) expect(Math.abs(worth - (own?.worth ?? 0))).toBeLessThan(0.501);
    }
    // The figures sum the same money up by day, whatever came when.
    expect(await sumDays(month, db)).toEqual(report.revenue);
    for (const { product, currency, paid, returned } of report.revenue) {
      const key = `${product} ${currency}`;
      const sum = revenue.get(key) ?? { paid: 0, returned: 0 };
      revenue.set(key, { paid: sum.paid + paid, returned: sum.returned + returned });
    }
  }
  expect(revenue).toEqual(revenueByHand(rows));
  return names.length;
}

/**
 * Expects the summaries of each day to equal sums made by hand: what came and went, what was left and its worth; and those of
 * sales, sign-ups and costs.
 */
export async function expectDaysAddUp(db: Database): Promise<void> {
  await expectSalesAddUp(db);
  const rows = await readRows(db);
  const summed = await getSummedDays(db);
  if (!summed) throw new Error("no day is summed up");
  const last = new Date(summed.last);
  for (let from = new Date(summed.first); from <= last; ) {
    const to = new Date(from.getTime() + DAY);
    const day = from.toISOString().slice(0, 10);
    const { opening, closing, ...flow } = sumByHand(rows, { from, to });
    const [{ month, ...stored } = { month: "" }] = await listCreditMonths(
      { first: day, last: day },
      db,
    );
    if (month === "") expect(Object.values(flow).every((credits) => credits === 0)).toBe(true);
    else expect(stored).toEqual(flow);
    const held = holdByHand(rows, { from, to });
    const left = new Map<string, { credits: number; worth: number }>();
    for (const { product, currency, credits, worth } of await listOutstanding(day, db)) {
      const key = `${product} ${worth === null ? "unknown" : currency}`;
      const sum = left.get(key) ?? { credits: 0, worth: 0 };
      left.set(key, { credits: sum.credits + credits, worth: sum.worth + (worth ?? 0) });
    }
    for (const [key, { credits, worth }] of held) {
      expect({ day, key, credits: left.get(key)?.credits }).toEqual({ day, key, credits });
      // Each month's worth is rounded by itself.
      expect(Math.abs((left.get(key)?.worth ?? 0) - worth)).toBeLessThan(10);
    }
    for (const [key, { credits }] of left)
      if (!held.has(key)) expect({ key, credits }).toEqual({ key, credits: 0 });
    from = to;
  }
}
