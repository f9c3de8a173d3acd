import type { DeliveryEngine, SandboxEvent } from "../payments/delivery-engine";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { requireStored } from "../payments/saved-state";
import type { CreemBehavior } from "./creem-behavior";
import { createCreemEvent } from "./creem-events";
import {
  currentPeriod,
  renderCheckout,
  renderCustomer,
  renderOrder,
  renderProduct,
  renderSubscription,
} from "./creem-objects";
import { createOrder, createSubscription, findOrCreateCustomer } from "./creem-records";
import { createCreemReturns } from "./creem-returns";
import type { CreemCheckout, CreemOrder, CreemState, CreemSubscription } from "./creem-state";
import { renderTransaction } from "./creem-transactions";
import { upgradeAmount, upgradeProduct } from "./creem-upgrades";

interface CreemBillingContext {
  state: CreemState;
  products: readonly SandboxPrice[];
  engine: DeliveryEngine;
  behavior(): CreemBehavior;
}

export type CreemBilling = ReturnType<typeof createCreemBilling>;

/** Changes payments and subscriptions like Creem, and sends the events in Creem's order. */
export function createCreemBilling({ state, products, engine, behavior }: CreemBillingContext) {
  const transactionOf = (order: CreemOrder) =>
    renderTransaction(order, { state, behavior: behavior() });
  const productOf = ({ productId }: { productId: string }) => requirePrice(products, productId);

  /** A completed checkout with its order and subscription. */
  function renderCompleted(checkout: CreemCheckout, order: CreemOrder) {
    const subscription = checkout.subscription && state.subscriptions[checkout.subscription];
    return {
      ...renderCheckout(checkout),
      order: renderOrder(order),
      product: renderProduct(productOf(checkout)),
      customer: renderCustomer(requireStored(state.customers, order.customer)),
      ...(subscription ? { subscription: render(subscription, true) } : {}),
    };
  }

  function render(subscription: CreemSubscription, embedded = false) {
    const customer = requireStored(state.customers, subscription.customer);
    const lastOrder = Object.values(state.orders).find(
      ({ transaction }) => transaction === subscription.lastTransaction,
    );
    return renderSubscription(subscription, {
      product: productOf(subscription),
      customer,
      lastTransaction: lastOrder && transactionOf(lastOrder),
      embedded,
    });
  }

  const subscriptionEvent = (family: string, subscription: CreemSubscription): SandboxEvent =>
    createCreemEvent(`subscription.${family}`, render(subscription));

  /** Pays the current period. */
  function charge(
    subscription: CreemSubscription,
    checkout: string,
    { amount, orderId }: { amount?: number; orderId?: string | undefined } = {},
  ): CreemOrder {
    const { id, customer } = subscription;
    const product = productOf(subscription);
    const period = currentPeriod(subscription, product);
    const order = createOrder(state, {
      ...{ checkout, subscription: id, customer, product, orderId, period },
      ...(amount === undefined ? {} : { amount }),
    });
    subscription.lastTransaction = order.transaction;
    return order;
  }

  const checkoutOf = (subscription: CreemSubscription) =>
    Object.values(state.checkouts).find((it) => it.subscription === subscription.id)?.id ?? "";

  function renderParts(order: CreemOrder) {
    const subscription = order.subscription && state.subscriptions[order.subscription];
    return {
      transaction: transactionOf(order),
      order: renderOrder(order),
      checkout: renderCheckout(requireStored(state.checkouts, order.checkout)),
      customer: renderCustomer(requireStored(state.customers, order.customer)),
      ...(subscription ? { subscription: render(subscription, true) } : {}),
      created_at: Date.now(),
      mode: "test",
    };
  }

  function end(subscription: CreemSubscription): void {
    subscription.status = "canceled";
    subscription.canceledAt = new Date().toISOString();
    engine.send([subscriptionEvent("canceled", subscription)]);
  }

  /** Moves to the next period and pays it: Creem moves it once it is paid. */
  function advance(subscription: CreemSubscription, families: readonly string[]): void {
    subscription.period += 1;
    subscription.status = "active";
    const checkout = checkoutOf(subscription);
    const first = behavior().renewalsShareOrder ? state.checkouts[checkout]?.order : null;
    charge(subscription, checkout, { orderId: first ?? undefined });
    engine.send(families.map((family) => subscriptionEvent(family, subscription)));
  }

  return {
    pay(checkout: CreemCheckout): void {
      const product = productOf(checkout);
      const customer = findOrCreateCustomer(state, checkout);
      const subscription = product.interval ? createSubscription(state, checkout, customer) : null;
      const order = subscription
        ? charge(subscription, checkout.id)
        : createOrder(state, { checkout: checkout.id, subscription: null, customer, product });
      checkout.customer = customer;
      checkout.order = order.id;
      checkout.subscription = subscription?.id ?? null;
      checkout.status = "completed";
      engine.send([
        createCreemEvent("checkout.completed", renderCompleted(checkout, order)),
        ...(subscription
          ? [subscriptionEvent("active", subscription), subscriptionEvent("paid", subscription)]
          : []),
      ]);
    },

    scheduleCancellation(subscription: CreemSubscription): void {
      subscription.status = "scheduled_cancel";
      engine.send([subscriptionEvent("scheduled_cancel", subscription)]);
    },

    end,

    pause(subscription: CreemSubscription): void {
      subscription.status = "paused";
      engine.send([subscriptionEvent("paused", subscription)]);
    },

    /** Its period is over and its payment failed; another try may still succeed. */
    expire(subscription: CreemSubscription): void {
      subscription.status = "expired";
      engine.send([subscriptionEvent("expired", subscription)]);
    },

    keep(subscription: CreemSubscription): void {
      subscription.status = "active";
      engine.send([subscriptionEvent("update", subscription)]);
    },

    /** If unpaid, the period doesn't move. */
    renew(subscription: CreemSubscription, paid: boolean): void {
      if (subscription.status === "scheduled_cancel") end(subscription);
      else if (paid) advance(subscription, ["paid"]);
      else {
        subscription.status = "past_due";
        engine.send([subscriptionEvent("past_due", subscription)]);
      }
    },

    /** Changes the product at once, and charges the difference for what is left of the period. */
    upgrade(subscription: CreemSubscription, productId: string): void {
      const amount = upgradeAmount(subscription, {
        before: productOf(subscription),
        after: requirePrice(products, productId),
      });
      upgradeProduct(subscription, products, productId);
      charge(subscription, checkoutOf(subscription), { amount });
      engine.send([
        subscriptionEvent("update", subscription),
        subscriptionEvent("paid", subscription),
      ]);
    },

    collect(subscription: CreemSubscription): void {
      advance(subscription, ["active", "paid"]);
    },

    reprice(subscription: CreemSubscription, productId: string): void {
      upgradeProduct(subscription, products, productId);
      engine.send([subscriptionEvent("update", subscription)]);
    },

    ...createCreemReturns({ state, send: engine.send, renderParts }),

    render,
    renderTransaction: transactionOf,
    renderCompleted,
  };
}
