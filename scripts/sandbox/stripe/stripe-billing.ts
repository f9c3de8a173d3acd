import type { DeliveryEngine, SandboxEvent } from "../payments/delivery-engine";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { createId } from "../payments/sandbox-id";
import { requireStored } from "../payments/saved-state";
import { renderInvoice, renderInvoicePayments } from "./invoice-objects";
import { renderOneTimeInvoice, renderSession } from "./payment-objects";
import { totalsOf } from "./session-totals";
import { createStripeEvent } from "./stripe-events";
import { moveToNextPeriod, periodIn } from "./stripe-next-period";
import { changeLines, currentLine } from "./stripe-prorations";
import { createInvoice, createPayment, createSubscription, ensureCustomer } from "./stripe-records";
import { createStripeReturns } from "./stripe-returns";
import {
  nowInSeconds,
  type StripeInvoice,
  type StripeInvoiceLine,
  type StripeSchedule,
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
  /** The part of each invoice that the first of two payment intents pays, in minor units; null: one pays all. */
  splitAt(): number | null;
}

export type StripeBilling = ReturnType<typeof createStripeBilling>;

/** An unpaid change lapses after 23 hours. */
const PENDING_SECONDS = 23 * 60 * 60;

/** Changes payments and subscriptions like Stripe, and sends the events in Stripe's order. */
export function createStripeBilling({
  state,
  prices,
  engine,
  generation,
  splitAt,
}: StripeBillingContext) {
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
    return [
      ...outcomes.map((outcome) => event(`invoice.${outcome}`, object)),
      ...renderInvoicePayments(invoice, context).map((payment) =>
        event("invoice_payment.paid", payment),
      ),
    ];
  }

  function oneTimeInvoiceEvents(session: StripeSession): SandboxEvent[] {
    const object = renderOneTimeInvoice(session, priceOf(session));
    return ["paid", "payment_succeeded"].map((outcome) => event(`invoice.${outcome}`, object));
  }

  /** Charges the saved card for an invoice, if there is anything to pay. */
  function charge({ customer, priceId }: StripeSubscription, invoice: StripeInvoice): void {
    const { currency } = requirePrice(prices, priceId);
    invoice.status = "paid";
    const first = Math.min(splitAt() ?? invoice.total, invoice.total);
    invoice.payments = [first, invoice.total - first]
      .filter((amount) => amount > 0)
      .map((amount) => ({ id: createPayment(state, { customer, amount, currency }).id, amount }));
  }

  /** The invoice of the current period. A discount or a tax makes its total differ from the price. */
  function billPeriod(
    subscription: StripeSubscription,
    { paid, total }: { paid: boolean; total?: number },
  ): StripeInvoice {
    const invoice = createInvoice(state, subscription, {
      reason: subscription.latestInvoice === null ? "subscription_create" : "subscription_cycle",
      lines: [...subscription.pendingLines, currentLine(subscription, priceOf(subscription))],
      ...(total === undefined ? {} : { total }),
    });
    subscription.pendingLines = [];
    if (paid) charge(subscription, invoice);
    return invoice;
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
      const { total } = totalsOf(session, price);
      const subscription =
        session.mode === "subscription" ? createSubscription(state, session) : null;
      if (session.options.invoice) ensureCustomer(state, session);
      if (subscription) session.subscription = subscription.id;
      // Without an amount there is no payment intent either. A subscription's invoice makes its own.
      if (total > 0 && !subscription) {
        const { id, customer, dataMetadata: metadata } = session;
        const charged = { amount: total, currency: price.currency };
        session.paymentIntent = createPayment(state, {
          ...{ session: id, customer, metadata },
          ...charged,
        }).id;
      }
      const invoice = subscription && billPeriod(subscription, { paid: true, total });
      session.status = "complete";
      engine.send([
        event("checkout.session.completed", renderSession(session, price, "")),
        ...(session.options.invoice ? oneTimeInvoiceEvents(session) : []),
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

    /** From then on a schedule manages the subscription. */
    schedule(subscription: StripeSubscription): StripeSchedule {
      const schedule: StripeSchedule = {
        id: createId("sub_sched_"),
        subscription: subscription.id,
        status: "active",
        phases: [{ priceId: subscription.priceId, ...periodIn(subscription, prices) }],
      };
      state.schedules[schedule.id] = schedule;
      subscription.schedule = schedule.id;
      engine.send([subscriptionEvent("updated", subscription)]);
      return schedule;
    },

    /** Drops what is planned. The subscription goes on by itself. */
    release(schedule: StripeSchedule): void {
      schedule.status = "released";
      const subscription = requireStored(state.subscriptions, schedule.subscription);
      subscription.schedule = null;
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    /**
     * Changes the plan at once (`always_invoice`, `pending_if_incomplete`): if the card is declined, the
     * change waits for the payment and the old plan goes on.
     */
    change(subscription: StripeSubscription, priceId: string, at: number): void {
      const lines = changeLines(subscription, { prices, priceId, at });
      const isDeclined = state.decliningCustomers.includes(subscription.customer);
      const reason = "subscription_update";
      const invoice = createInvoice(state, subscription, { reason, lines });
      if (isDeclined) {
        subscription.pendingUpdate = { priceId, expiresAt: nowInSeconds() + PENDING_SECONDS };
      } else {
        charge(subscription, invoice);
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
      charge(subscription, invoice);
      if (subscription.pendingUpdate) applyChange(subscription, subscription.pendingUpdate.priceId);
      engine.send([
        ...invoiceEvents(subscription, invoice),
        subscriptionEvent("updated", subscription),
      ]);
    },

    renew(subscription: StripeSubscription, paid: boolean): void {
      if (subscription.cancelAt !== null) {
        end(subscription);
        return;
      }
      moveToNextPeriod(subscription, { state, prices });
      const moved = subscriptionEvent("updated", subscription);
      const invoice = billPeriod(subscription, { paid });
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
      charge(subscription, invoice);
      subscription.status = "active";
      subscription.openInvoice = null;
      engine.send([
        ...invoiceEvents(subscription, invoice),
        subscriptionEvent("updated", subscription),
      ]);
    },

    /** Bills lines that aren't a period's at once, to the saved card. */
    bill(
      subscription: StripeSubscription,
      { reason, lines }: { reason: StripeInvoice["reason"]; lines: StripeInvoiceLine[] },
    ): StripeInvoice {
      const invoice = createInvoice(state, subscription, { reason, lines });
      charge(subscription, invoice);
      engine.send(invoiceEvents(subscription, invoice));
      return invoice;
    },

    reprice(subscription: StripeSubscription, priceId: string): void {
      applyChange(subscription, priceId);
      engine.send([subscriptionEvent("updated", subscription)]);
    },

    /** The session can't be paid any more. */
    expire(session: StripeSession): void {
      session.status = "expired";
      engine.send([
        event("checkout.session.expired", renderSession(session, priceOf(session), "")),
      ]);
    },

    ...createStripeReturns({ state, send: engine.send, event }),
  };
}
