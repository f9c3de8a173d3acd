import { randomUUID } from "node:crypto";
import { beforeAll } from "vitest";
import type { Database } from "~/db.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import type {
  BillingEvent,
  CheckoutCompleted,
  Disputed,
  InvoicePaid,
  Refunded,
  ReversalFacts,
  SubscriptionChanged,
} from "~/services/payments/billing-event";

/** Sets the variables that the models read, and `more`; the database is passed to them. */
export function setUpBillingEnv(more: Record<string, string> = {}): void {
  beforeAll(() => {
    Object.assign(process.env, {
      DATABASE_URL: "postgres://nobody@localhost/unused",
      AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
      PROVIDER_A_PRICE_STARTER_MONTHLY: "price_starter_month",
      PROVIDER_A_PRICE_STARTER_ANNUAL: "price_starter_year",
      PROVIDER_A_PRICE_PRO_MONTHLY: "price_pro_month",
      PROVIDER_A_PRICE_PRO_ANNUAL: "price_pro_year",
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
export function newSubscription(userId: string, plan: "starter" | "pro" = "starter") {
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
        priceId: null,
        covers: periodStart && periodEnd ? "period" : "nothing",
        periodStart,
        periodEnd,
        renewedAt: null,
        paidAt: null,
        amount: 900,
        currency: "usd",
        intentId: null,
        ...more,
      };
    },
    /** A refund of so much of a paid invoice. */
    refunded(invoice: InvoicePaid, amountRefunded: number, more: Partial<Refunded> = {}): Refunded {
      return { kind: "refunded", ...returnOf(invoice), amountRefunded, ...more };
    },
    /** A dispute of a paid invoice. It names the payment only. */
    disputed(invoice: InvoicePaid, more: Partial<Disputed> = {}): Disputed {
      const facts = { ...returnOf(invoice), customerId: null, paidAt: null, chargedAmount: null };
      const amount = invoice.amount ?? 0;
      return { kind: "disputed", ...facts, disputeId: `dp_${randomUUID()}`, amount, ...more };
    },
  };
}

/** Makes the facts that Stripe's charge has of an invoice's payment. */
function returnOf({ customerId, periodStart, amount, intentId }: InvoicePaid): ReversalFacts {
  return {
    paymentId: intentId ?? `pi_${randomUUID()}`,
    transactionId: null,
    checkoutId: null,
    providerSubscriptionId: null,
    customerId,
    paidAt: periodStart,
    chargedAmount: amount,
    currency: "usd",
    metadata: null,
  };
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
    currency: "usd",
    listed: { amount: 500, currency: "usd" },
    productId: null,
    metadata: { userId, site: null, skuKey: "credits_small", planKey: null, period: null },
    ...more,
  } satisfies CheckoutCompleted;
}

/** A refund of so much of a pack's payment of 5 dollars. */
export function orderRefunded(
  checkout: CheckoutCompleted,
  amountRefunded: number,
  more: Partial<Refunded> = {},
): Refunded {
  return { kind: "refunded", ...returnOfOrder(checkout), amountRefunded, ...more };
}

/** A dispute of it, which names the payment only. */
export function orderDisputed(
  checkout: CheckoutCompleted,
  amount: number,
  more: Partial<Disputed> = {},
): Disputed {
  const facts = { ...returnOfOrder(checkout), metadata: null, chargedAmount: null };
  return { kind: "disputed", ...facts, disputeId: "dp_1", amount, ...more };
}

function returnOfOrder({ paymentId, metadata }: CheckoutCompleted): ReversalFacts {
  const unknown = { transactionId: null, checkoutId: null, providerSubscriptionId: null };
  return {
    ...{ paymentId, ...unknown, customerId: null, paidAt: null },
    ...{ chargedAmount: 500, currency: "usd", metadata },
  };
}
