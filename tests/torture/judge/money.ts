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

const amount = z.int();
const records = <Shape extends z.ZodType>(shape: Shape) => z.record(z.string(), shape);
const stripeReturn = z.object({ payment: z.string(), amount, status: z.string() });
const stripeState = z.object({
  sessions: records(
    z.object({ id: z.string(), status: z.string(), paymentIntent: z.string().nullable() }),
  ),
  payments: records(z.object({ id: z.string(), amount })),
  refunds: records(stripeReturn),
  disputes: records(stripeReturn),
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

/** Everything that was paid so far, by the checkout. */
export async function readMoney({ provider, standIns }: World): Promise<Map<string, Paid>> {
  const control = new URL(standIns.controls[provider]);
  const { text } = await send({ port: Number(control.port), path: `${control.pathname}/state` });
  const paid = provider === "stripe" ? stripeMoney(JSON.parse(text)) : creemMoney(JSON.parse(text));
  return new Map(paid.map((one) => [one.sessionId, one]));
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
