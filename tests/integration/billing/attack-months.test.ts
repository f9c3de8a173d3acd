import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDb, type Database } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { refundRun } from "~/models/billing/returns/spend-refunds.server";
import { getBalance } from "~/models/credits/balance.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import type { BillingEvent, InvoicePaid } from "~/services/payments/billing-event";
import { addMonths } from "~/utils/add-months";
import {
  applyEvents,
  newSubscription,
  paymentReturned,
  setUpBillingEnv,
} from "../../helpers/billing";
import { createUser } from "../../helpers/credits";
import { installFakeClock } from "../../helpers/fake-clock";
import { silenceLog } from "../../helpers/silence-log";
import { setClock } from "../../helpers/subscription-world";
import { createTestDatabase } from "../../helpers/test-database";

setUpBillingEnv();
silenceLog();
const START = new Date("2026-01-05T10:00:00Z");
const DAY = 86_400_000;
const RUNS = Number(process.env.ATTACK_RUNS ?? 20);
const SEED = Number(process.env.ATTACK_SEED ?? 7);
let db: Database;
beforeAll(async () => {
  const url = await createTestDatabase();
  await installFakeClock(url, START);
  db = connectDb(url);
});
afterAll(() => db.$disconnect());

type Op =
  | { do: "pass"; hours: number }
  | { do: "upgrade" }
  | { do: "refund"; of: number; tenths: number }
  | { do: "dispute"; of: number; tenths: number }
  | { do: "end"; row: number; well: boolean }
  | { do: "late"; row: number }
  | { do: "hold"; on: boolean }
  | { do: "release"; at: number }
  | { do: "spend"; amount: number }
  | { do: "unspend"; spend: number };

const base: fc.Arbitrary<Op>[] = [
  fc.record({ do: fc.constant("pass" as const), hours: fc.integer({ min: 1, max: 60 * 24 }) }),
  fc.record({ do: fc.constant("upgrade" as const) }),
  fc.record({
    do: fc.constant("refund" as const),
    of: fc.nat(3),
    tenths: fc.constantFrom(3, 5, 10),
  }),
  fc.record({ do: fc.constant("dispute" as const), of: fc.nat(3), tenths: fc.constantFrom(5, 10) }),
  fc.record({ do: fc.constant("end" as const), row: fc.nat(4), well: fc.boolean() }),
  fc.record({ do: fc.constant("late" as const), row: fc.nat(4) }),
];
const holds: fc.Arbitrary<Op>[] = [
  fc.record({ do: fc.constant("hold" as const), on: fc.boolean() }),
  fc.record({ do: fc.constant("release" as const), at: fc.nat(6) }),
];
const spends: fc.Arbitrary<Op>[] = [
  fc.record({ do: fc.constant("spend" as const), amount: fc.integer({ min: 1, max: 700 }) }),
  fc.record({ do: fc.constant("unspend" as const), spend: fc.nat(4) }),
];

type Interval = "month" | "year";
async function live(history: Op[], isExact: boolean, interval: Interval = "year") {
  await setClock(db, START);
  const userId = await createUser(db);
  const sub = newSubscription(userId);
  const isYear = interval === "year";
  const END = isYear ? addMonths(START, 12) : addMonths(START, 1);
  let now = START;
  let plan: "starter" | "pro" = "starter";
  type Sold = { invoice: InvoicePaid; at: Date; end: Date; base: number | null; credits: number };
  const sales: Sold[] = [];
  let holding = false;
  const queue: BillingEvent[] = [];
  const sell = async (at: Date, end: Date, kind: "period" | "upgrade", base: number | null) => {
    const amount = (kind === "upgrade" ? 2000 : plan === "pro" ? 2900 : 900) * (isYear ? 10 : 1);
    const priceId = `price_${plan}_${interval}`;
    const invoice = sub.paid(at, end, {
      covers: kind,
      amount,
      priceId,
      payments: [{ id: `pi_${sales.length}_${userId}`, amount }],
    });
    sales.push({
      invoice,
      at,
      end,
      base,
      credits: kind === "upgrade" ? 900 : plan === "pro" ? 1200 : 300,
    });
    const from = base === null ? at : (sales[base]?.at ?? at);
    await send({ ...sub.changed(from, end, { priceId, occurredAt: at }), startedAt: START });
    await send(invoice);
  };
  const rows: {
    of: number;
    kind: "refund" | "dispute";
    amount: number;
    state: string;
    id: string;
  }[] = [];
  const told: BillingEvent[] = [];
  const done: { source: string; amount: number }[] = [];
  let _spent = 0;
  const send = async (event: BillingEvent) => {
    told.push(event);
    if (holding) queue.push(event);
    else await applyEvents(db, event);
  };
  await sell(START, END, "period", null);
  const away = (of: number) =>
    rows
      .filter((row) => row.of === of && ["succeeded", "open", "lost"].includes(row.state))
      .reduce((t, { amount }) => t + amount, 0);
  const tellRow = (row: (typeof rows)[number]) =>
    send(
      paymentReturned({
        of: row.kind,
        returnId: row.id,
        state: row.state as "open",
        amount: row.amount,
        currency: "usd",
        paymentId: sales[row.of]?.invoice.payments[0]?.id ?? "",
        occurredAt: now,
      }),
    );
  const expected = () => {
    const part = (credits: number, of: number) => {
      const whole = sales[of]?.invoice.amount ?? 0;
      return credits - Math.floor((credits * Math.min(away(of), whole)) / whole);
    };
    let k = 0;
    while (addMonths(START, k + 1) <= now) k += 1;
    const [from, to] = [addMonths(START, k), addMonths(START, k + 1)];
    let total = 0;
    for (const [of, { at, end, credits }] of sales.entries()) {
      if (at > now || end <= now) continue;
      const left = to.getTime() - at.getTime();
      const length = to.getTime() - from.getTime();
      total += part(
        at <= from || left >= 27 * DAY ? credits : Math.ceil((credits * left) / length),
        of,
      );
    }
    return total;
  };
  for (const [at, op] of history.entries()) {
    if (op.do === "pass") {
      now = new Date(now.getTime() + op.hours * 3_600_000);
      await setClock(db, now);
      for (
        let last = sales.findLast(({ base }) => base === null);
        !isYear && last && last.end <= now;
        last = sales.findLast(({ base }) => base === null)
      ) {
        const n = sales.filter(({ base }) => base === null).length;
        await sell(last.end, addMonths(START, n + 1), "period", null);
      }
    } else if (op.do === "hold") {
      holding = op.on;
      continue;
    } else if (op.do === "release") {
      const [event] = queue.splice(op.at % Math.max(1, queue.length), 1);
      if (event) await applyEvents(db, event);
    } else if (op.do === "upgrade") {
      const base = sales.findLastIndex((sale) => sale.base === null);
      const of = sales[base];
      if (plan === "pro" || !of || now <= of.at || now.getTime() > of.end.getTime() - 5 * DAY)
        continue;
      plan = "pro";
      await sell(now, of.end, "upgrade", base);
    } else if (op.do === "refund" || op.do === "dispute") {
      const of = op.of % sales.length;
      const whole = sales[of]?.invoice.amount ?? 0;
      const amount =
        op.do === "refund"
          ? Math.min(Math.floor((whole * op.tenths) / 10), whole - away(of))
          : Math.floor((whole * op.tenths) / 10);
      if (amount <= 0) continue;
      const row = {
        of,
        kind: op.do,
        amount,
        state: op.do === "refund" ? "succeeded" : "open",
        id: `r_${userId}_${rows.length}`,
      };
      rows.push(row);
      await tellRow(row);
    } else if (op.do === "end") {
      const row = rows[op.row];
      if (!row || ["failed", "won", "lost"].includes(row.state)) continue;
      if (row.kind === "refund" && !op.well) continue;
      row.state = row.kind === "refund" ? "failed" : op.well ? "won" : "lost";
      await tellRow(row);
    } else if (op.do === "late") {
      const row = rows[op.row];
      if (!row) continue;
      await send(
        paymentReturned({
          of: row.kind,
          returnId: row.id,
          state: row.kind === "refund" ? "pending" : "open",
          amount: row.amount,
          currency: "usd",
          paymentId: sales[row.of]?.invoice.payments[0]?.id ?? "",
        }),
      );
    } else if (op.do === "spend") {
      const spend = { source: `t:${userId}:${done.length}`, amount: op.amount };
      if ((await spendCredits({ userId, ...spend }, db)).status === "spent") {
        done.push(spend);
        _spent += op.amount;
      }
    } else {
      const spend = done[op.spend];
      if (spend) await db.$transaction((t) => refundRun({ source: spend.source }, t));
    }
    await runDueGrants({}, db);
    const run = await runDueGrants({}, db);
    expect(run.failed).toEqual([]);
    expect(run.remaining).toBe(0);
    const faults: unknown[] = [];
    await auditLedger({ onFault: (fault) => faults.push(fault) }, db);
    expect({ at, op, faults }).toEqual({ at, op, faults: [] });
    if (isExact && queue.length === 0)
      expect({ at, op, balance: await getBalance(userId, db) }).toEqual({
        at,
        op,
        balance: expected(),
      });
  }
  while (queue.length > 0) {
    const [event] = queue.splice(queue.length >> 1, 1);
    if (event) await applyEvents(db, event);
    await runDueGrants({}, db);
  }
  await matchKeptReturns({ limit: 100 }, db);
  await runDueGrants({}, db);
  if (isExact)
    expect({ at: "end", balance: await getBalance(userId, db) }).toEqual({
      at: "end",
      balance: expected(),
    });
  const before = await getBalance(userId, db);
  for (const event of told.toReversed()) await applyEvents(db, event);
  await runDueGrants({}, db);
  expect(await getBalance(userId, db)).toBe(before);
  if (!isExact) {
    // Whatever was spent, all money back: nothing may be left of what is paid back but what was paid.
    for (const row of rows)
      if (row.state !== "failed" && row.state !== "won" && row.kind === "dispute") {
        row.state = "won";
        await tellRow(row);
      }
    expect(await getBalance(userId, db)).toBeLessThanOrEqual(
      expected() + done.reduce((sum, { amount }) => sum + amount, 0),
    );
  }
  await remove();
}

async function remove() {
  await db.paymentReturn.deleteMany({});
  await db.invoicePayment.deleteMany({});
  await db.subscriptionPeriod.deleteMany({});
  await db.subscription.deleteMany({});
  await db.$transaction([
    db.$executeRaw`SET LOCAL session_replication_role = replica`,
    db.creditAllocation.deleteMany({}),
    db.creditTransaction.deleteMany({}),
    db.creditAccount.deleteMany({}),
  ]);
}

for (const interval of ["year", "month"] as const) {
  const property = (ops: fc.Arbitrary<Op>[], isExact: boolean) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...ops), { minLength: 3, maxLength: 16 }),
        async (history) => {
          try {
            await live(history, isExact, interval);
          } finally {
            await remove();
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  const long = { timeout: 900_000 };
  test(
    `${interval}: without spends the balance is what the parts of the running month give`,
    long,
    () => property(base, true),
  );
  test(`${interval}: events that come months late end in the same`, long, () =>
    property([...base, ...holds], true),
  );
  test(
    `${interval}: with spends verify finds nothing at any step, and replay changes nothing`,
    long,
    () => property([...base, ...spends, ...holds], false),
  );
}
