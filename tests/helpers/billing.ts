import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import { CURRENCY, type PlanKey } from "~/catalog";
import type { Database } from "~/db.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import type {
  BillingEvent,
  CheckoutCompleted,
  InvoicePaid,
  PaymentReturned,
  ReturnedPayment,
  SubscriptionChanged,
} from "~/services/payments/billing-event";
import {
  PACK,
  PLAN,
  PLAN_MONTHLY,
  PLAN_YEARLY,
  priceVariable,
  productVariable,
  TOP_MONTHLY,
  TOP_PLAN,
  TOP_YEARLY,
} from "../fixtures/sold";
import { withFixedAmounts } from "./fixed-amounts";

/** The plans' slots, and the names of their prices at Stripe and products at Creem. */
const PLAN_SLOTS = [
  [PLAN_MONTHLY, `${PLAN.planKey}_month`],
  [PLAN_YEARLY, `${PLAN.planKey}_year`],
  [TOP_MONTHLY, `${TOP_PLAN.planKey}_month`],
  [TOP_YEARLY, `${TOP_PLAN.planKey}_year`],
] as const;

/** Sets the variables that the models read, and `more`, and fixes the catalog's amounts. The database is passed to the models. */
export function setUpBillingEnv(more: Record<string, string> = {}): void {
  withFixedAmounts();
  beforeAll(() => {
    Object.assign(process.env, {
      DATABASE_URL: "postgres://nobody@localhost/unused",
      AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
      ...Object.fromEntries(
        PLAN_SLOTS.flatMap(([slot, name]) => [
          [priceVariable(slot), `price_${name}`],
          [productVariable(slot), `prod_${name}`],
        ]),
      ),
      ...more,
    });
  });
}

/** Applies events as one Stripe delivery. */
export function applyEvents(db: Database, ...events: BillingEvent[]): Promise<void> {
  return db.$transaction((transaction) =>
    applyBillingEvents({ provider: "stripe", events }, transaction),
  );
}

/** Applies events as one Creem delivery. */
export function applyCreemEvents(db: Database, ...events: BillingEvent[]): Promise<void> {
  return db.$transaction((transaction) =>
    applyBillingEvents({ provider: "creem", events }, transaction),
  );
}

/** A subscription at a provider that hasn't reported it yet, and the events it can send. */
export function newSubscription(userId: string, plan: PlanKey = PLAN.planKey) {
  const providerSubscriptionId = `sub_${randomUUID()}`;
  const metadata = { userId, site: null, skuKey: null, planKey: plan, period: "month" };
  const facts = { providerSubscriptionId, customerId: `cus_${userId}`, metadata };
  return {
    providerSubscriptionId,
    /** Its own event; by default for a month that begins at `start`. */
    changed(start: Date, end: Date, more: Partial<SubscriptionChanged> = {}): SubscriptionChanged {
      return {
        kind: "subscription_changed",
        ...facts,
        status: "active",
        priceId: `price_${plan}_month`,
        listed: null,
        currentPeriodStart: start,
        currentPeriodEnd: end,
        startedAt: null,
        cancelAtPeriodEnd: false,
        hasSchedule: false,
        endedAt: null,
        occurredAt: start,
        ...more,
      };
    },
    /** A paid invoice of 9.00; by default of a whole period. */
    paid(
      periodStart: Date | null,
      periodEnd: Date | null,
      more: Partial<InvoicePaid> = {},
    ): InvoicePaid {
      return {
        kind: "invoice_paid",
        ...facts,
        invoiceId: `in_${randomUUID()}`,
        priceId: priceFor(plan, periodStart, periodEnd),
        covers: periodStart && periodEnd ? "period" : "nothing",
        periodStart,
        periodEnd,
        renewedAt: null,
        paidAt: periodStart,
        amount: 900,
        currency: CURRENCY,
        payments: [],
        listed: null,
        replacesEarlier: false,
        unsold: [],
        ...more,
      };
    },
    /** Everything refunded of a paid invoice so far. */
    refunded: (invoice: InvoicePaid, amount: number, more: ReturnOptions = {}) =>
      paymentReturned({ ...NEW_REFUND, ...paymentOf(invoice), amount, ...more }),
    /** A dispute of a paid invoice. It names the payment only. */
    disputed: (invoice: InvoicePaid, more: ReturnOptions = {}) =>
      paymentReturned({
        ...{ ...newDispute(), ...paymentOf(invoice), ...NAMES_PAYMENT_ONLY },
        ...{ amount: invoice.amount ?? 0, ...more },
      }),
  };
}

/** The price of the plan by the month or, for a longer period, by the year; null without a period. */
function priceFor(plan: string, start: Date | null, end: Date | null): string | null {
  if (!start || !end) return null;
  const days = (end.getTime() - start.getTime()) / 86_400_000;
  return `price_${plan}_${days > 40 ? "year" : "month"}`;
}

type ReturnOptions = Partial<Omit<PaymentReturned, "kind" | "payment"> & ReturnedPayment>;

const NAMES_PAYMENT_ONLY = { customerId: null, paidAt: null, chargedAmount: null, metadata: null };
const NEW_REFUND = { of: "refund", returnId: null, state: "succeeded" } as const;
const newDispute = () =>
  ({ of: "dispute", returnId: `dp_${randomUUID()}`, state: "open" }) as const;

/** A refund or dispute, as an event; by default of a payment without any names. */
export function paymentReturned({
  of = "refund",
  returnId = null,
  state = "succeeded",
  amount = 0,
  currency = CURRENCY,
  occurredAt = null,
  ...payment
}: ReturnOptions): PaymentReturned {
  const names = { paymentId: null, orderId: null, invoiceId: null, checkoutId: null };
  return {
    ...{ kind: "returned", of, returnId, state, amount, currency, occurredAt },
    payment: { ...names, providerSubscriptionId: null, ...NAMES_PAYMENT_ONLY, ...payment },
  };
}

/** The facts that Stripe's charge has of an invoice's payment. */
function paymentOf({ customerId, periodStart, amount, payments }: InvoicePaid): ReturnOptions {
  const paymentId = payments[0]?.id ?? `pi_${randomUUID()}`;
  return { paymentId, customerId, paidAt: periodStart, chargedAmount: amount };
}

/** A paid checkout of 100 credits for 5 dollars. */
export function packCheckout(userId: string, more: Partial<CheckoutCompleted> = {}) {
  const id = randomUUID();
  return {
    kind: "checkout_completed",
    checkoutId: `cs_${id}`,
    mode: "payment",
    paymentStatus: "paid",
    paymentId: `pi_${id}`,
    customerId: null,
    subscriptionId: null,
    amount: 500,
    currency: CURRENCY,
    listed: { amount: 500, currency: CURRENCY },
    productId: null,
    metadata: { userId, site: null, skuKey: PACK.skuKey, planKey: null, period: null },
    ...more,
  } satisfies CheckoutCompleted;
}

/** Everything refunded of a pack's payment of 5 dollars so far. */
export function orderRefunded(
  checkout: CheckoutCompleted,
  amount: number,
  more: ReturnOptions = {},
): PaymentReturned {
  return paymentReturned({ ...NEW_REFUND, ...paymentOfOrder(checkout), amount, ...more });
}

/** A dispute of it, which names the payment only. */
export function orderDisputed(
  checkout: CheckoutCompleted,
  amount: number,
  more: ReturnOptions = {},
): PaymentReturned {
  const facts = { ...newDispute(), ...paymentOfOrder(checkout), ...NAMES_PAYMENT_ONLY };
  return paymentReturned({ ...facts, amount, ...more });
}

function paymentOfOrder({ paymentId, metadata }: CheckoutCompleted): ReturnOptions {
  return { paymentId, chargedAmount: 500, metadata };
}
