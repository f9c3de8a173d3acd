import type { Router } from "express";
import type { DeliveryEngine } from "../payments/delivery-engine";
import { createHostedPages, createPortal } from "../payments/hosted-pages";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import type { CreemBilling } from "./creem-billing";
import { signReturn } from "./creem-events";
import { currentPeriod } from "./creem-objects";
import type { CreemCheckout, CreemState } from "./creem-state";

interface CreemPagesContext {
  apiKey: string;
  state: CreemState;
  products: readonly SandboxPrice[];
  billing: CreemBilling;
  engine: DeliveryEngine;
}

export function createCreemPages(context: CreemPagesContext): Router {
  const { apiKey, state, products, billing, engine } = context;

  return createHostedPages({
    provider: "Creem",
    checkoutPath: "/checkout/:id",
    portalPath: "/portal/:id",
    engine,

    findCheckout(id) {
      const checkout = state.checkouts[id];
      if (!checkout) return null;
      const known = checkout.customer && state.customers[checkout.customer]?.email;
      return {
        page: {
          price: requirePrice(products, checkout.productId),
          buyer: known || checkout.email || "a guest",
          // Creem has no cancel URL.
          backUrl: new URL(checkout.successUrl).origin,
          discount: 0,
          tax: 0,
          total: requirePrice(products, checkout.productId).amount,
          takesCodes: false,
        },
        applyCode: () => false,
        isPaid: checkout.status === "completed",
        isExpired: false,
        pay: () => billing.pay(checkout),
        returnUrl: () => returnUrl(checkout, apiKey),
      };
    },

    findPortal(id) {
      const portal = state.portals[id];
      if (!portal) return null;
      return createPortal({
        offersNow: true,
        customer: portal.customer,
        backUrl: portal.backUrl,
        subscriptions: state.subscriptions,
        describe(subscription) {
          const price = requirePrice(products, subscription.productId);
          return {
            price,
            periodEnd: currentPeriod(subscription, price).end,
            ending: subscription.status === "scheduled_cancel",
          };
        },
        end: billing.end,
        scheduleCancellation: billing.scheduleCancellation,
        keep: billing.keep,
      });
    },
  });
}

function returnUrl(checkout: CreemCheckout, apiKey: string): string {
  const results = {
    checkout_id: checkout.id,
    order_id: checkout.order,
    customer_id: checkout.customer,
    subscription_id: checkout.subscription,
    product_id: checkout.productId,
    request_id: checkout.requestId,
  };
  return signReturn(checkout.successUrl, results, apiKey);
}
