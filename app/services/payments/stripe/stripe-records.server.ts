import type Stripe from "stripe";
import type { Prices } from "~/env/prices";
import type { InvoicePaid } from "~/services/payments/billing-event";
import type { Attempt, BillingRecords } from "~/services/payments/billing-records.server";
import { instantOfReading, readRecord } from "~/services/payments/read-record";
import { readInvoiceEvent, stripeInvoice } from "~/services/payments/stripe/invoice-event";
import { readSessionEvent, stripeSession } from "~/services/payments/stripe/payment-events";
import {
  readDisputeEvent,
  readRefundEvent,
  stripeDispute,
  stripeRefund,
} from "~/services/payments/stripe/return-events";
import {
  callStripe,
  createStripeClient,
  findAtStripe,
} from "~/services/payments/stripe/stripe-client.server";
import {
  readSubscriptionEvent,
  stripeSubscription,
} from "~/services/payments/stripe/subscription-event";
import { readIntentEvent, stripeIntent } from "~/services/payments/stripe/top-up-events";
import { isTopUpCheckout } from "~/services/payments/top-up-checkout";

const PAGE = 100;
/** Milliseconds: a refund may fail, and a dispute be closed, months after it was made. */
const OLDEST_RETURN = 180 * 24 * 60 * 60 * 1000;
/** Milliseconds that a checkout session stays open at most. */
const SESSION_LIFE = 24 * 60 * 60 * 1000;

/**
 * Stripe's records. A restricted key needs read access to sessions, subscriptions, invoices, charges
 * and disputes, and to payment intents where automatic top-up is on, or was.
 */
export function createStripeRecords(
  {
    secretKey,
    apiBase,
    prices,
    topUp,
  }: { secretKey: string; apiBase: string; prices: Prices; topUp: boolean },
  attempt: Attempt,
): BillingRecords {
  const stripe = createStripeClient({ secretKey, apiBase });
  const list = <T extends { id: string }>(ask: (cursor: Cursor) => Promise<Page<T>>) =>
    pages((cursor) => attempt(() => callStripe(() => ask(cursor))));
  const readSession = (session: unknown) =>
    readRecord("checkout session", stripeSession, session, (read) =>
      readSessionEvent(read, "checkout session"),
    );
  const readSubscription = (subscription: unknown, occurredAt: Date) =>
    readRecord("subscription", stripeSubscription, subscription, (read) =>
      readSubscriptionEvent(read, { prices, occurredAt, deleted: false }),
    );

  const readIntent = (intent: unknown) =>
    readRecord("payment intent", stripeIntent, intent, (read) =>
      readIntentEvent(read, "payment_intent.succeeded"),
    );
  const readInvoice = (invoice: unknown) =>
    readRecord("invoice", stripeInvoice, invoice, (read) =>
      readInvoiceEvent(read, {
        ...{ prices, type: "invoice", paid: true },
        occurredAt: instantOfReading(),
      }),
    );
  async function* listInvoices(filter: Stripe.InvoiceListParams): AsyncGenerator<InvoicePaid[]> {
    const invoices = list((cursor) =>
      stripe.invoices.list({ ...cursor, ...filter, status: "paid" }),
    );
    for await (const page of invoices)
      yield page.map(readInvoice).filter((event) => event.kind === "invoice_paid");
  }

  return {
    name: "stripe",

    async *listPayments(since) {
      // A session completed since then may have been created up to a day earlier.
      const created = { gte: toSeconds(since.getTime() - SESSION_LIFE) };
      const sessions = list((cursor) =>
        stripe.checkout.sessions.list({ ...cursor, created, status: "complete" }),
      );
      for await (const page of sessions) yield page.map(readSession);
    },

    async *listCharges({ since, isUsed }) {
      if (!topUp && !isUsed) return;
      const created = { gte: toSeconds(since.getTime()) };
      const intents = list((cursor) => stripe.paymentIntents.list({ ...cursor, created }));
      for await (const page of intents)
        yield page
          .filter(({ status }) => status === "succeeded")
          .map(readIntent)
          .filter(({ kind }) => kind !== "unknown");
    },

    async *listReturns(since) {
      const created = { gte: toSeconds(since.getTime() - OLDEST_RETURN) };
      const expand = ["data.charge"];
      const refunds = list((cursor) => stripe.refunds.list({ ...cursor, created, expand }));
      for await (const page of refunds)
        yield page.map((refund) =>
          readRecord("refund", stripeRefund, refund, (read) => readRefundEvent(read, "refund")),
        );
      const disputes = list((cursor) => stripe.disputes.list({ ...cursor, created, expand }));
      for await (const page of disputes)
        yield page.map((dispute) =>
          readRecord("dispute", stripeDispute, dispute, (read) =>
            readDisputeEvent(read, "dispute"),
          ),
        );
    },

    async *listSubscriptions() {
      let occurredAt = instantOfReading();
      const subscriptions = list((cursor) => {
        occurredAt = instantOfReading();
        return stripe.subscriptions.list({ ...cursor, status: "all" });
      });
      for await (const page of subscriptions)
        yield page.map((subscription) => readSubscription(subscription, occurredAt));
    },

    async findSubscription(id) {
      const occurredAt = instantOfReading();
      const found = await attempt(() => findAtStripe(() => stripe.subscriptions.retrieve(id)));
      return found && readSubscription(found, occurredAt);
    },

    async listPaidPeriods({ providerSubscriptionId: subscription }) {
      const paid: InvoicePaid[] = [];
      for await (const page of listInvoices({ subscription, expand: ["data.payments"] }))
        paid.push(...page);
      return paid.reverse();
    },

    async *listPaidInvoices(since) {
      for await (const page of listInvoices({ created: { gte: toSeconds(since.getTime()) } }))
        yield page.flatMap(({ invoiceId, providerSubscriptionId }) =>
          invoiceId ? [{ invoiceId, providerSubscriptionId }] : [],
        );
    },

    async findCheckout(id, paymentId) {
      if (paymentId !== undefined && isTopUpCheckout(id)) {
        const intent = await attempt(() =>
          findAtStripe(() => stripe.paymentIntents.retrieve(paymentId)),
        );
        return intent?.status === "succeeded" ? readIntent(intent) : null;
      }
      const session = await attempt(() =>
        findAtStripe(() => stripe.checkout.sessions.retrieve(id)),
      );
      return session?.status === "complete" ? readSession(session) : null;
    },
  };
}

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

interface Cursor {
  limit: number;
  starting_after?: string;
}

interface Page<T> {
  data: T[];
  has_more: boolean;
}

async function* pages<T extends { id: string }>(
  ask: (cursor: Cursor) => Promise<Page<T>>,
): AsyncGenerator<T[]> {
  let last: string | undefined;
  do {
    const page = await ask({ limit: PAGE, ...(last ? { starting_after: last } : {}) });
    yield page.data;
    last = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (last);
}
