import { z } from "zod";
import type { Money, Paid, PaidInvoice, PaidPlan } from "./money";
import { amount, awayOf, monthsAfter, records } from "./stand-in-state";

const oneReturn = z.object({ order: z.string(), amount, status: z.string() });
const order = z.object({
  ...{ id: z.string(), amount, subscription: z.string().nullable(), productId: z.string() },
  charge: z.object({ amount }).nullable(),
  period: z.object({ start: z.coerce.date(), end: z.coerce.date() }).nullable(),
});
type Order = z.output<typeof order>;
const creemState = z
  .object({
    checkouts: records(
      z.object({ id: z.string(), status: z.string(), order: z.string().nullable() }),
    ),
    orders: records(order),
    subscriptions: records(
      z.object({
        ...{ id: z.string(), status: z.string(), productId: z.string() },
        ...{ anchor: z.coerce.date(), period: z.int() },
      }),
    ),
    refunds: records(oneReturn),
    disputes: records(oneReturn),
  })
  .transform(({ refunds, disputes, ...rest }) => ({
    ...rest,
    returns: [...Object.values(refunds), ...Object.values(disputes)],
  }));
type CreemState = z.output<typeof creemState>;

/** There are no kept cards at Creem. */
export function readCreem(given: unknown): Money {
  const state = creemState.parse(given);
  return {
    sales: new Map(listSales(state).map((one) => [one.sessionId, one])),
    plans: new Map(listPlans(state).map((one) => [one.id, one])),
    charges: [],
  };
}

/** The amount that the buyer was charged, in whatever currency: returns are in the same one. */
const chargedFor = (paid: Order | undefined) => paid?.charge?.amount ?? paid?.amount ?? 0;

function listSales({ checkouts, orders, returns }: CreemState): Paid[] {
  return Object.values(checkouts)
    .filter(({ status }) => status === "completed")
    .map(({ id, order: orderId }) => ({
      sessionId: id,
      amount: chargedFor(orders[orderId ?? ""]),
      away: awayOf(returns, (one) => one.order === orderId),
    }));
}

function listPlans(state: CreemState): PaidPlan[] {
  return Object.values(state.subscriptions).map(({ id, status, productId, anchor, period }) => ({
    ...{ id, price: productId, cancels: status === "scheduled_cancel" },
    status: status === "scheduled_cancel" ? "active" : status,
    endsAt: monthsAfter(anchor, (period + 1) * (/annual/.test(productId) ? 12 : 1)),
    invoices: invoicesOf(id, state),
  }));
}

/** Periods follow each other; one that begins otherwise was begun by a change of plan, or goes on after one. */
function invoicesOf(id: string, { orders, returns }: CreemState): PaidInvoice[] {
  const own = Object.values(orders).filter(({ subscription }) => subscription === id);
  return own.map((paid, place) => {
    const { period, productId } = paid;
    const isOf = (one: { order: string }) => one.order === paid.id;
    return {
      isChange: place > 0 && own[place - 1]?.period?.end.getTime() !== period?.start.getTime(),
      amount: chargedFor(paid),
      lines: period ? [{ price: productId, ...period }] : [],
      away: awayOf(returns, isOf),
      hasReturns: returns.some(isOf),
    };
  });
}
