import type { DeliveryEngine, SandboxEvent } from "../payments/delivery-engine";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import { requireStored } from "../payments/saved-state";
import {
  renderCharge,
  renderDispute,
  renderOneTimeInvoice,
  renderSession,
} from "./payment-objects";
import { totalsOf } from "./session-totals";
import { createStripeEvent } from "./stripe-events";
import {
  createInvoice,
  createPayment,
  createReversal,
  createSubscription,
  ensureCustomer,
} from "./stripe-records";
import {
  nowInSeconds,
  type StripeInvoice,
  type StripePayment,
  type StripeReversal,
  type StripeSchedule,
  type StripeSession,
  type StripeState,
  type StripeSubscription,
} from "./stripe-state";
import {
  currentPeriod,
  type Generation,
  renderInvoice,
  renderInvoicePayment,
  renderSubscription,
} from "./subscription-objects";

export interface StripeBillingContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  engine: DeliveryEngine;
  generation(): Generation;
}

export type StripeBilling = ReturnType<typeof createStripeBilling>;

/** Changes payments and subscriptions like Stripe, and sends the events in Stripe's order. */
export function createStripeBilling({ state, prices, engine, generation }: StripeBillingContext) {
  const priceOf = ({ priceId }: { priceId: string }) => requirePrice(prices, priceId);
  const event = (type: string, object: object) => createStripeEvent(type, object, generation());

  function subscriptionEvent(change: string, subscription: StripeSubscription): SandboxEvent {
    const object = renderSubscription(subscription, priceOf(subscription), generation());
    return event(`customer.subscription.${change}`, object);
  }

  function invoiceEvents(subscription: StripeSubscription, invoice: StripeInvoice) {
    const object = renderInvoice(invoice, subscription, priceOf(subscription), generation());
    const outcomes = invoice.status === "paid" ? ["paid", "payment_succeeded"] : ["payment_failed"];
    return [
      ...outcomes.map((outcome) => event(`invoice.${outcome}`, object)),
      ...(invoice.payment
        ? [event("invoice_payment.paid", renderInvoicePayment(invoice, priceOf(subscription)))]
        : []),
    ];
  }

  function oneTimeInvoiceEvents(session: StripeSession): SandboxEvent[] {
    const object = renderOneTimeInvoice(session, priceOf(session));
    return ["paid", "payment_succeeded"].map((outcome) => event(`invoice.${outcome}`, object));
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
      const { total: amount } = totalsOf(session, price);
      const charged = { amount, currency: price.currency };
      const subscription =
        session.mode === "subscription" ? createSubscription(state, session) : null;
      if (session.options.invoice) ensureCustomer(state, session);
      if (subscription) session.subscription = subscription.id;
      // Without an amount there is no payment intent either. A subscription's invoice makes its own.
      if (amount > 0 && !subscription) {
        const { id, customer, dataMetadata: metadata } = session;
        const payment = { session: id, customer, metadata, price: charged };
        session.paymentIntent = createPayment(state, payment).id;
      }
      session.status = "complete";
      engine.send([
        event("checkout.session.completed", renderSession(session, price, "")),
        ...(session.options.invoice ? oneTimeInvoiceEvents(session) : []),
        ...(subscription
          ? [
              subscriptionEvent("created", subscription),
              ...invoiceEvents(
                subscription,
                createInvoice(state, subscription, { price: charged, status: "paid" }),
              ),
            ]
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

    pause(subscription: StripeSubscription): void {
      subscription.status = "paused";
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    keep(subscription: StripeSubscription): void {
      subscription.cancelAtPeriodEnd = false;
      subscription.cancelAt = null;
      subscription.canceledAt = null;
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    /** Plans a change at the period's end: from then on a schedule manages the subscription. */
    schedule(subscription: StripeSubscription): StripeSchedule {
      const schedule: StripeSchedule = {
        id: createId("sub_sched_"),
        subscription: subscription.id,
        status: "active",
      };
      state.schedules[schedule.id] = schedule;
      subscription.schedule = schedule.id;
      engine.send([subscriptionEvent("updated", subscription)]);
      return schedule;
    },

    /** Drops the plan. The subscription goes on by itself. */
    release(schedule: StripeSchedule): void {
      schedule.status = "released";
      const subscription = requireStored(state.subscriptions, schedule.subscription);
      subscription.schedule = null;
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    renew(subscription: StripeSubscription, paid: boolean): void {
      if (subscription.cancelAt !== null) {
        end(subscription);
        return;
      }
      subscription.period += 1;
      const moved = subscriptionEvent("updated", subscription);
      const price = priceOf(subscription);
      const status = paid ? "paid" : "open";
      const invoice = createInvoice(state, subscription, { price, status });
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
      const { customer } = subscription;
      invoice.payment = createPayment(state, { customer, price: priceOf(subscription) }).id;
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
