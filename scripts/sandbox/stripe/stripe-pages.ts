import { Router } from "express";
import type { DeliveryEngine } from "../payments/delivery-engine";
import { createHostedPages, createPortal } from "../payments/hosted-pages";
import { createInvoicePages } from "../payments/invoice-page";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { requireStored } from "../payments/saved-state";
import { PROMOTION_CODES, totalsOf } from "./session-totals";
import type { StripeBilling } from "./stripe-billing";
import type { StripeState } from "./stripe-state";
import { currentPeriod } from "./subscription-objects";

interface StripePagesContext {
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
  engine: DeliveryEngine;
}

export function createStripePages({ state, prices, billing, engine }: StripePagesContext): Router {
  const hosted = createHostedPages({
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
          ...totalsOf(session, requirePrice(prices, session.priceId)),
          takesCodes: session.options.promotionCodes,
        },
        isPaid: session.status === "complete",
        isExpired: session.status === "expired",
        applyCode(code) {
          const percent = session.options.promotionCodes ? PROMOTION_CODES[code] : undefined;
          if (percent === undefined) return false;
          session.discountPercent = percent;
          return true;
        },
        pay: () => billing.pay(session),
        returnUrl: () => session.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", id),
      };
    },

    findPortal(id) {
      const portal = state.portals[id];
      if (!portal) return null;
      const { features } = requireStored(state.portalConfigurations, portal.configuration);
      return createPortal({
        offersNow: features.subscription_cancel.mode === "immediately",
        offersChanges: features.subscription_update.enabled,
        customer: portal.customer,
        backUrl: portal.returnUrl,
        subscriptions: state.subscriptions,
        describe(subscription) {
          const price = requirePrice(prices, subscription.priceId);
          return {
            price,
            periodEnd: currentPeriod(subscription, price).end,
            ending: subscription.cancelAt !== null,
          };
        },
        end: billing.end,
        scheduleCancellation: (subscription) =>
          billing.scheduleCancellation(subscription, "portal"),
        keep: billing.keep,
      });
    },
  });
  const invoices = createInvoicePages({
    engine,
    find(id) {
      const invoice = state.invoices[id];
      const subscription = invoice && state.subscriptions[invoice.subscription];
      if (!subscription) return null;
      const { currency } = requirePrice(prices, subscription.priceId);
      return {
        ...{ id, amount: invoice.total, currency, isPaid: invoice.status === "paid" },
        pay: () => billing.payInvoice(invoice),
      };
    },
  });
  return Router().use(hosted, invoices);
}
