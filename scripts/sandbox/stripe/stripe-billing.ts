import type { DeliveryEngine, SandboxEvent } from "../payments/delivery-engine";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { requireStored } from "../payments/saved-state";
import { renderInvoice } from "./invoice-objects";
import { renderCharge, renderDispute, renderSession } from "./payment-objects";
import { createStripeEvent } from "./stripe-events";
import { moveToNextPeriod } from "./stripe-next-period";
import { changeLines, currentLine } from "./stripe-prorations";
import {
  createInvoice,
  createPayment,
  createReversal,
  createSubscription,
  totalOf,
} from "./stripe-records";
import {
  nowInSeconds,
  type StripeInvoice,
  type StripePayment,
  type StripeReversal,
  type StripeSession,
  type StripeState,
  type StripeSubscription,
} from "./stripe-state";
import { currentPeriod, type Generation, renderSubscription } from "./subscription-objects";

export interface StripeBillingContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  engine: DeliveryEngine;
  generation(): Generation;
}

export type StripeBilling = ReturnType<typeof createStripeBilling>;

/** An unpaid change lapses after 23 hours. */
const PENDING_SECONDS = 23 * 60 * 60;

/** Changes payments and subscriptions like Stripe, and sends the events in Stripe's order. */
export function createStripeBilling({ state, prices, engine, generation }: StripeBillingContext) {
  const priceOf = ({ priceId }: { priceId: string }) => requirePrice(prices, priceId);
  const event = (type: string, object: object) => createStripeEvent(type, object, generation());

  function subscriptionEvent(change: string, subscription: StripeSubscription): SandboxEvent {
    const object = renderSubscription(subscription, priceOf(subscription), generation());
    return event(`customer.subscription.${change}`, object);
  }

  function invoiceEvents(subscription: StripeSubscription, invoice: StripeInvoice) {
    const context = { subscription, prices, generation: generation(), baseUrl: "" };
    const object = renderInvoice(invoice, context);
    const outcomes = invoice.status === "paid" ? ["paid", "payment_succeeded"] : ["payment_failed"];
    return outcomes.map((outcome) => event(`invoice.${outcome}`, object));
  }

  /** Charges the saved card. */
  function charge({ customer, priceId }: StripeSubscription, amount: number): void {
    const { currency } = requirePrice(prices, priceId);
    if (amount > 0) createPayment(state, { customer, amount, currency });
  }

  /** The invoice of the current period. */
  function billPeriod(subscription: StripeSubscription, paid: boolean): StripeInvoice {
    const line = currentLine(subscription, priceOf(subscription));
    if (paid) charge(subscription, line.amount);
    return createInvoice(state, subscription, {
      reason: subscription.latestInvoice === null ? "subscription_create" : "subscription_cycle",
      lines: [line],
      status: paid ? "paid" : "open",
    });
  }

  /** Changes the plan. A change of interval begins a new period now. */
  function applyChange(subscription: StripeSubscription, priceId: string): void {
    const [before, after] = [priceOf(subscription), requirePrice(prices, priceId)];
    if (before.interval !== after.interval) {
      subscription.anchor = nowInSeconds();
      subscription.period = 0;
    }
    subscription.priceId = priceId;
    subscription.pendingUpdate = null;
  }

  function end(subscription: StripeSubscription): void {
    subscription.status = "canceled";
    subscription.canceledAt ??= nowInSeconds();
    subscription.endedAt = nowInSeconds();
    engine.send([subscriptionEvent("deleted", subscription)]);
  }

  return {
    pay(session: StripeSession): void {
      const price = priceOf(session);
      const subscription =
        session.mode === "subscription" ? createSubscription(state, session) : null;
      if (subscription) {
        session.subscription = subscription.id;
        session.customer = subscription.customer;
      } else {
        session.paymentIntent = createPayment(state, {
          session: session.id,
          customer: session.customer,
          metadata: session.dataMetadata,
          amount: price.amount,
          currency: price.currency,
        }).id;
      }
      const invoice = subscription && billPeriod(subscription, true);
      session.status = "complete";
      engine.send([
        event("checkout.session.completed", renderSession(session, price, "")),
        ...(subscription && invoice
          ? [subscriptionEvent("created", subscription), ...invoiceEvents(subscription, invoice)]
          : []),
      ]);
    },

    /**
     * `by` the API it sets the flag and the date; by the portal, in flexible billing mode, only the
     * date.
     */
    scheduleCancellation(subscription: StripeSubscription, by: "api" | "portal"): void {
      const { end: periodEnd } = currentPeriod(subscription, priceOf(subscription));
      subscription.cancelAtPeriodEnd = by === "api";
      subscription.cancelAt = Math.floor(periodEnd.getTime() / 1000);
      subscription.canceledAt = nowInSeconds();
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    end,

    /**
     * Changes the plan at once (`always_invoice`, `pending_if_incomplete`): if the card is declined, the
     * change waits for the payment and the old plan goes on.
     */
    change(subscription: StripeSubscription, priceId: string, at: number): void {
      const lines = changeLines(subscription, { prices, priceId, at });
      const isDeclined = state.decliningCustomers.includes(subscription.customer);
      const status = isDeclined ? "open" : "paid";
      const reason = "subscription_update";
      const invoice = createInvoice(state, subscription, { reason, lines, status });
      if (isDeclined) {
        subscription.pendingUpdate = { priceId, expiresAt: nowInSeconds() + PENDING_SECONDS };
      } else {
        charge(subscription, totalOf(invoice));
        applyChange(subscription, priceId);
      }
      engine.send([
        ...invoiceEvents(subscription, invoice),
        subscriptionEvent("updated", subscription),
      ]);
    },

    /** Pays an open invoice on its hosted page. */
    payInvoice(invoice: StripeInvoice): void {
      const subscription = requireStored(state.subscriptions, invoice.subscription);
      invoice.status = "paid";
      charge(subscription, totalOf(invoice));
      if (subscription.pendingUpdate) applyChange(subscription, subscription.pendingUpdate.priceId);
      engine.send([
        ...invoiceEvents(subscription, invoice),
        subscriptionEvent("updated", subscription),
      ]);
    },

    /** Tells the app that a schedule was made or released. */
    announce(subscription: StripeSubscription): void {
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    renew(subscription: StripeSubscription, paid: boolean): void {
      if (subscription.cancelAt !== null) {
        end(subscription);
        return;
      }
      moveToNextPeriod(subscription, { state, prices });
      const moved = subscriptionEvent("updated", subscription);
      const invoice = billPeriod(subscription, paid);
      if (!paid) {
        subscription.status = "past_due";
        subscription.openInvoice = invoice.id;
      }
      engine.send([
        moved,
        ...invoiceEvents(subscription, invoice),
        ...(paid ? [] : [subscriptionEvent("updated", subscription)]),
      ]);
    },

    /** Pays the open invoice of a failed renewal. */
    collect(subscription: StripeSubscription): void {
      const invoice = requireStored(state.invoices, subscription.openInvoice);
      invoice.status = "paid";
      charge(subscription, totalOf(invoice));
      subscription.status = "active";
      subscription.openInvoice = null;
      engine.send([
        ...invoiceEvents(subscription, invoice),
        subscriptionEvent("updated", subscription),
      ]);
    },

    refund(payment: StripePayment, amount: number): void {
      const refunded = Math.min(amount, payment.amount - payment.refunded);
      payment.refunded += refunded;
      createReversal(state.refunds, { prefix: "re_", payment, amount: refunded });
      engine.send([event("charge.refunded", renderCharge(payment))]);
    },

    dispute(payment: StripePayment, amount: number): StripeReversal {
      const dispute = createReversal(state.disputes, { prefix: "dp_", payment, amount });
      engine.send([event("charge.dispute.created", renderDispute(payment, dispute))]);
      return dispute;
    },
  };
}
