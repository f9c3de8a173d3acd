import { z } from "zod";
import type { Money, Paid, PaidPlan } from "./money";
import { amount, awayOf, monthsAfter, records } from "./stand-in-state";

const seconds = z.int().transform((at) => new Date(at * 1_000));
/** Of whatever was charged. A payment that the service made to take a charge's key names another thing, and never succeeds. */
const ofTopUp = z.object({ top_up: z.string(), user_id: z.string() });
const oneReturn = z.object({ payment: z.string(), amount, status: z.string() });
const stripeState = z
  .object({
    sessions: records(
      z.object({ id: z.string(), status: z.string(), paymentIntent: z.string().nullable() }),
    ),
    payments: records(z.object({ id: z.string(), amount })),
    refunds: records(oneReturn),
    disputes: records(oneReturn),
    intents: records(
      z.object({
        ...{ id: z.string(), amount, status: z.string(), created: seconds },
        metadata: records(z.string()),
      }),
    ),
    subscriptions: records(
      z.object({
        ...{ id: z.string(), status: z.string(), priceId: z.string() },
        ...{ anchor: seconds, period: z.int(), cancelAt: z.int().nullable() },
      }),
    ),
    invoices: records(
      z.object({
        ...{ subscription: z.string(), reason: z.string(), status: z.string(), total: amount },
        lines: z.array(z.object({ priceId: z.string(), start: seconds, end: seconds })),
        payments: z.array(z.object({ id: z.string() })),
      }),
    ),
  })
  .transform(({ refunds, disputes, ...rest }) => ({
    ...rest,
    returns: [...Object.values(refunds), ...Object.values(disputes)],
  }));
type StripeState = z.output<typeof stripeState>;

export function readStripe(given: unknown): Money {
  const state = stripeState.parse(given);
  const charges = listCharges(state);
  return {
    sales: new Map([...listSales(state), ...charges].map((one) => [one.sessionId, one])),
    plans: new Map(listPlans(state).map((one) => [one.id, one])),
    charges,
  };
}

function listSales({ sessions, payments, returns }: StripeState): Paid[] {
  return Object.values(sessions)
    .filter(({ status }) => status === "complete")
    .map(({ id, paymentIntent }) => ({
      sessionId: id,
      amount: payments[paymentIntent ?? ""]?.amount ?? 0,
      away: awayOf(returns, ({ payment }) => payment === paymentIntent),
    }));
}

function listCharges({ intents, returns }: StripeState): Money["charges"] {
  return Object.values(intents)
    .filter(({ status }) => status === "succeeded")
    .map(({ id, amount: paid, created, metadata }) => {
      const { top_up, user_id } = ofTopUp.parse(metadata);
      return {
        ...{ sessionId: `topup:${top_up}`, amount: paid, at: created, userId: user_id },
        away: awayOf(returns, ({ payment }) => payment === id),
      };
    });
}

function listPlans({ subscriptions, invoices, returns }: StripeState): PaidPlan[] {
  const paid = Object.values(invoices).filter(({ status }) => status === "paid");
  return Object.values(subscriptions).map(({ id, status, priceId, cancelAt, anchor, period }) => ({
    ...{ id, status, price: priceId, cancels: cancelAt !== null },
    endsAt: monthsAfter(anchor, (period + 1) * (/annual/.test(priceId) ? 12 : 1)),
    invoices: paid
      .filter(({ subscription }) => subscription === id)
      .map(({ reason, lines, total, payments }) => {
        const isOf = (one: { payment: string }) => payments.some((own) => own.id === one.payment);
        return {
          ...{ isChange: reason === "subscription_update", amount: total },
          hasReturns: returns.some(isOf),
          lines: lines.map((line) => ({ ...line, price: line.priceId })),
          away: awayOf(returns, isOf),
        };
      }),
  }));
}
