import { createId } from "../payments/sandbox-id";
import {
  nowInSeconds,
  type StripeInvoice,
  type StripeInvoiceLine,
  type StripePayment,
  type StripeSession,
  type StripeState,
  type StripeSubscription,
} from "./stripe-state";

interface NewPayment {
  /** Its session; an invoice's payment has neither session nor metadata. */
  session?: string;
  metadata?: Record<string, string>;
  customer: string | null;
  amount: number;
  currency: string;
}

export function createPayment(
  state: StripeState,
  { session, metadata, customer, amount, currency }: NewPayment,
): StripePayment {
  const payment: StripePayment = {
    id: createId("pi_"),
    charge: createId("ch_"),
    session: session ?? null,
    customer,
    amount,
    currency,
    metadata: metadata ?? {},
    created: nowInSeconds(),
  };
  state.payments[payment.id] = payment;
  return payment;
}

/** Returns the session's customer, created if there is none. */
export function ensureCustomer(state: StripeState, session: StripeSession): string {
  const customer = session.customer ?? createId("cus_");
  state.customers[customer] ??= { id: customer, email: session.email ?? "" };
  session.customer = customer;
  return customer;
}

/** Creates the subscription of a paid session, and its customer if there is none. */
export function createSubscription(state: StripeState, session: StripeSession): StripeSubscription {
  const customer = ensureCustomer(state, session);
  const subscription: StripeSubscription = {
    id: createId("sub_"),
    itemId: createId("si_"),
    customer,
    priceId: session.priceId,
    status: "active",
    metadata: session.dataMetadata,
    created: nowInSeconds(),
    anchor: nowInSeconds(),
    period: 0,
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    openInvoice: null,
    latestInvoice: null,
    schedule: null,
    pendingUpdate: null,
    pendingLines: [],
  };
  state.subscriptions[subscription.id] = subscription;
  return subscription;
}

/** Creates an unpaid invoice, which becomes the latest one of its subscription. */
export function createInvoice(
  state: StripeState,
  subscription: StripeSubscription,
  { reason, lines, total }: Pick<StripeInvoice, "reason" | "lines"> & { total?: number },
): StripeInvoice {
  const created: StripeInvoice = {
    id: createId("in_"),
    subscription: subscription.id,
    reason,
    lines,
    status: "open",
    total: total ?? totalOf(lines),
    payments: [],
    created: nowInSeconds(),
  };
  state.invoices[created.id] = created;
  subscription.latestInvoice = created.id;
  return created;
}

/** The sum of an invoice's lines; credit beyond that is not kept. */
export function totalOf(lines: StripeInvoiceLine[]): number {
  return Math.max(
    0,
    lines.reduce((sum, { amount }) => sum + amount, 0),
  );
}
