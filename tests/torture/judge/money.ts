import { z } from "zod";
import { send } from "../world/http";
import type { World } from "../world/world";

// The payment stand-in's knowledge: each payment, and how much of it is away.

export interface Paid {
  sessionId: string;
  /** Minor units; 0 where a code made it free. */
  amount: number;
  /** Minor units of refunds and disputes that count. */
  away: number;
}

/** A plan as its provider has it. */
export interface PaidPlan {
  id: string;
  status: string;
  /** Whether it ends with its period. */
  cancels: boolean;
  /** The provider's price. */
  price: string;
  endsAt: Date;
  invoices: PaidInvoice[];
}

export interface PaidInvoice {
  /** Why it was made: the plan's beginning, its next period, a change. */
  reason: string;
  lines: { price: string; start: Date; end: Date }[];
  amount: number;
  away: number;
  /** Whether anything of it ever went back, or was disputed. */
  hasReturns: boolean;
}

export interface Money {
  sales: ReadonlyMap<string, Paid>;
  plans: ReadonlyMap<string, PaidPlan>;
  /** Payments with kept cards. */
  charges: readonly (Paid & { userId: string; at: Date })[];
}

const amount = z.int();
const seconds = z.int().transform((at) => new Date(at * 1_000));
const records = <Shape extends z.ZodType>(shape: Shape) => z.record(z.string(), shape);
const stripeReturn = z.object({ payment: z.string(), amount, status: z.string() });
const stripeState = z.object({
  sessions: records(
    z.object({ id: z.string(), status: z.string(), paymentIntent: z.string().nullable() }),
  ),
  payments: records(z.object({ id: z.string(), amount })),
  refunds: records(stripeReturn),
  disputes: records(stripeReturn),
  intents: records(
    z.object({
      ...{ id: z.string(), amount, status: z.string(), created: seconds },
      metadata: z.object({ top_up: z.string(), user_id: z.string() }),
    }),
  ),
  subscriptions: records(
    z.object({
      ...{ id: z.string(), status: z.string(), priceId: z.string(), cancelAt: z.int().nullable() },
      ...{ anchor: seconds, period: z.int() },
    }),
  ),
  invoices: records(
    z.object({
      ...{ subscription: z.string(), reason: z.string(), status: z.string(), total: amount },
      lines: z.array(z.object({ priceId: z.string(), start: seconds, end: seconds })),
      payments: z.array(z.object({ id: z.string() })),
    }),
  ),
});
const creemReturn = z.object({ order: z.string(), amount, status: z.string() });
const creemState = z.object({
  checkouts: records(
    z.object({ id: z.string(), status: z.string(), order: z.string().nullable() }),
  ),
  orders: records(z.object({ id: z.string(), amount })),
  refunds: records(creemReturn),
  disputes: records(creemReturn),
});

/** A refund that is under way counts, and so does a dispute that isn't over, or is lost. */
const COUNTS = [
  "pending",
  "requires_action",
  "succeeded",
  "needs_response",
  "under_review",
  "created",
  "lost",
];

/** Everything that was paid so far, by the checkout and by the plan. */
export async function readMoney({ provider, standIns }: World): Promise<Money> {
  const control = new URL(standIns.controls[provider]);
  const { text } = await send({ port: Number(control.port), path: `${control.pathname}/state` });
  const state = JSON.parse(text);
  const sales = provider === "stripe" ? stripeMoney(state) : creemMoney(state);
  const plans = provider === "stripe" ? stripePlans(state) : [];
  const charges = provider === "stripe" ? stripeCharges(state) : [];
  return {
    sales: new Map([...sales, ...charges].map((one) => [one.sessionId, one])),
    plans: new Map(plans.map((one) => [one.id, one])),
    charges,
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const counting = <One extends { amount: number; status: string }>(
  kinds: Record<string, One>[],
  isOf: (one: One) => boolean,
) =>
  sum(
    kinds
      .flatMap((kind) => Object.values(kind))
      .filter((one) => isOf(one) && COUNTS.includes(one.status))
      .map((one) => one.amount),
  );

function stripeMoney(state: unknown): Paid[] {
  const { sessions, payments, refunds, disputes } = stripeState.parse(state);
  return Object.values(sessions)
    .filter(({ status }) => status === "complete")
    .map(({ id, paymentIntent }) => ({
      sessionId: id,
      amount: payments[paymentIntent ?? ""]?.amount ?? 0,
      away: counting([refunds, disputes], ({ payment }) => payment === paymentIntent),
    }));
}

function creemMoney(state: unknown): Paid[] {
  const { checkouts, orders, refunds, disputes } = creemState.parse(state);
  return Object.values(checkouts)
    .filter(({ status }) => status === "completed")
    .map(({ id, order }) => ({
      sessionId: id,
      amount: orders[order ?? ""]?.amount ?? 0,
      away: counting([refunds, disputes], (one) => one.order === order),
    }));
}

function stripeCharges(state: unknown): Money["charges"] {
  const { intents, refunds, disputes } = stripeState.parse(state);
  return Object.values(intents)
    .filter(({ status }) => status === "succeeded")
    .map(({ id, amount: paid, created, metadata }) => ({
      ...{ sessionId: `topup:${metadata.top_up}`, amount: paid, at: created },
      userId: metadata.user_id,
      away: counting([refunds, disputes], ({ payment }) => payment === id),
    }));
}

function stripePlans(state: unknown): PaidPlan[] {
  const { subscriptions, invoices, refunds, disputes } = stripeState.parse(state);
  const paid = Object.values(invoices).filter(({ status }) => status === "paid");
  const returns = [...Object.values(refunds), ...Object.values(disputes)];
  return Object.values(subscriptions).map(({ id, status, priceId, cancelAt, anchor, period }) => ({
    ...{ id, status, price: priceId, cancels: cancelAt !== null },
    endsAt: monthsAfter(anchor, (period + 1) * (/annual/.test(priceId) ? 12 : 1)),
    invoices: paid
      .filter(({ subscription }) => subscription === id)
      .map(({ reason, lines, total, payments }) => {
        const isOf = (one: { payment: string }) => payments.some((own) => own.id === one.payment);
        return {
          ...{ reason, amount: total, hasReturns: returns.some(isOf) },
          lines: lines.map((line) => ({ ...line, price: line.priceId })),
          away: counting([refunds, disputes], isOf),
        };
      }),
  }));
}

/** So many months later, in UTC; on the last day of a month that lacks the day. */
export function monthsAfter(from: Date, months: number): Date {
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(from.getUTCDate(), last));
  return at;
}
