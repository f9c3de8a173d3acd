import { Router } from "express";
import { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { requireStored } from "../payments/saved-state";
import { renderPreview } from "./invoice-objects";
import { moveToNextPeriod, periodIn } from "./stripe-next-period";
import { parseParams } from "./stripe-params";
import { currentLine } from "./stripe-prorations";
import { noSuch, StripeRefusal } from "./stripe-refusal";
import type { StripeCard, StripeState, StripeSubscription } from "./stripe-state";
import { paymentMethodOf, renderSubscription } from "./subscription-objects";

interface OutlookContext {
  baseUrl: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
}

const withCards = z.strictObject({
  expand: z.tuple([
    z.literal("default_payment_method"),
    z.literal("customer.invoice_settings.default_payment_method"),
  ]),
});
const upcoming = z.union([
  z.strictObject({ subscription: z.string() }),
  z.strictObject({ schedule: z.string() }),
]);

/** The card that Stripe's test pages are filled in with. */
const TEST_CARD: StripeCard = { brand: "visa", last4: "4242", on: "subscription" };

/** Between a renewal's invoice and its payment. */
const HOUR = 60 * 60;

/** A subscription with its payment methods, and the preview of its renewal's invoice. */
export function createStripeOutlook({ baseUrl, state, prices }: OutlookContext): Router {
  const outlook = Router();

  outlook.get("/subscriptions/:id", ({ params, query }, response, next) => {
    if (!Array.isArray(query.expand) || query.expand[0] !== "default_payment_method") return next();
    parseParams(withCards, query);
    const subscription = state.subscriptions[params.id];
    if (!subscription) throw noSuch("subscription", params.id, "id", 404);
    const { customer: id } = subscription;
    const saved = state.cards[id];
    const card = saved === undefined ? TEST_CARD : saved;
    const method = renderMethod(subscription, card);
    const isCustomers = card?.on === "customer";
    response.json({
      ...renderSubscription(subscription, requirePrice(prices, subscription.priceId), "basil"),
      default_payment_method: isCustomers ? null : method,
      customer: state.customers[id]
        ? {
            ...{ id, object: "customer", email: state.customers[id].email, livemode: false },
            invoice_settings: { default_payment_method: isCustomers ? method : null },
          }
        : { id, object: "customer", deleted: true },
    });
  });

  outlook.post("/invoices/create_preview", ({ body }, response, next) => {
    if (body?.subscription_details !== undefined) return next();
    const params = parseParams(upcoming, body);
    const subscription = "schedule" in params ? byItsSchedule(params.schedule) : byId(params);
    if (subscription.status !== "active" || subscription.cancelAt !== null)
      throw new StripeRefusal({
        status: 404,
        code: "invoice_upcoming_none",
        message: `No upcoming invoices for customer: '${subscription.customer}'`,
      });
    const { start, end } = periodIn(subscription, prices);
    const { lines, renewed } = renew(subscription);
    response.json({
      ...renderPreview(lines, { subscription: renewed, prices, generation: "basil", baseUrl }),
      ...{ billing_reason: "upcoming", created: end, period_start: start, period_end: end },
      next_payment_attempt: end + HOUR,
    });
  });

  function byId({ subscription: id }: { subscription: string }): StripeSubscription {
    const subscription = state.subscriptions[id];
    if (!subscription) throw noSuch("subscription", id, "subscription", 404);
    if (!subscription.schedule) return subscription;
    const message = "The subscription is managed by a schedule. Preview the schedule instead.";
    throw new StripeRefusal({ status: 400, message, param: "subscription" });
  }

  function byItsSchedule(id: string): StripeSubscription {
    const schedule = state.schedules[id];
    if (schedule?.status !== "active") throw noSuch("subscription schedule", id, "schedule", 404);
    return requireStored(state.subscriptions, schedule.subscription);
  }

  /** The subscription as its next period finds it, and that period's lines. Changes nothing. */
  function renew(subscription: StripeSubscription) {
    const renewed = structuredClone(subscription);
    const schedules = structuredClone(state.schedules);
    moveToNextPeriod(renewed, { state: { ...state, schedules }, prices });
    const line = currentLine(renewed, requirePrice(prices, renewed.priceId));
    return { renewed, lines: [...renewed.pendingLines, line] };
  }

  return outlook;
}

/** Null is a wallet that has no card number. */
function renderMethod(subscription: StripeSubscription, card: StripeCard | null) {
  const common = { id: paymentMethodOf(subscription), object: "payment_method", livemode: false };
  if (!card) return { ...common, type: "link", link: { email: null } };
  const { brand, last4 } = card;
  return {
    ...{ ...common, type: "card" },
    card: { brand, display_brand: brand, exp_month: 12, exp_year: 2034, funding: "credit", last4 },
  };
}
