import type { Router } from "express";
import type { DeliveryEngine } from "../payments/delivery-engine";
import { createHostedPages } from "../payments/hosted-pages";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeBilling } from "./stripe-billing";
import { requirePrice, type StripeState, type StripeSubscription } from "./stripe-state";
import { currentPeriod } from "./subscription-objects";

interface StripePagesContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
  engine: DeliveryEngine;
}

export function createStripePages({ state, prices, billing, engine }: StripePagesContext): Router {
  function withSubscription(id: string, act: (subscription: StripeSubscription) => void): void {
    const subscription = state.subscriptions[id];
    if (subscription) act(subscription);
  }

  return createHostedPages({
    provider: "Stripe",
    checkoutPath: "/c/pay/:id",
    portalPath: "/p/session/:id",
    engine,

    findCheckout(id) {
      const session = state.sessions[id];
      if (!session) return null;
      const known = session.customer && state.customers[session.customer]?.email;
      return {
        page: {
          price: requirePrice(prices, session.priceId),
          buyer: known || session.email || "a guest",
          backUrl: session.cancelUrl,
        },
        isPaid: session.status === "complete",
        pay: () => billing.pay(session),
        returnUrl: () => session.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", id),
      };
    },

    findPortal(id) {
      const portal = state.portals[id];
      if (!portal) return null;
      const own = Object.values(state.subscriptions).filter(
        ({ customer }) => customer === portal.customer,
      );
      return {
        subscriptions: own.map((subscription) => {
          const price = requirePrice(prices, subscription.priceId);
          return {
            id: subscription.id,
            price,
            status: subscription.status,
            periodEnd: currentPeriod(subscription, price).end,
            ending: subscription.cancelAt !== null,
          };
        }),
        backUrl: portal.returnUrl,
        cancelNow: (subscriptionId) => withSubscription(subscriptionId, billing.end),
        cancelAtPeriodEnd: (subscriptionId) =>
          withSubscription(subscriptionId, (subscription) =>
            billing.scheduleCancellation(subscription, "portal"),
          ),
      };
    },
  });
}
