import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { renderInvoice, renderPreview } from "./invoice-objects";
import type { StripeBilling } from "./stripe-billing";
import { parseParams } from "./stripe-params";
import { changeLines } from "./stripe-prorations";
import { StripeRefusal } from "./stripe-refusal";
import { renderSchedule } from "./stripe-schedules";
import { nowInSeconds, type StripeState, type StripeSubscription } from "./stripe-state";
import { currentPeriod, renderSubscription } from "./subscription-objects";

interface ChangesContext {
  baseUrl: string;
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
}

const prorated = {
  items: z.tuple([z.strictObject({ id: z.string(), price: z.string() })]),
  proration_behavior: z.literal("always_invoice"),
  proration_date: z.string().regex(/^\d+$/).transform(Number),
};
const change = z.strictObject({
  ...prorated,
  // Excludes other parameters, such as metadata.
  payment_behavior: z.literal("pending_if_incomplete"),
});
const preview = z.strictObject({
  subscription: z.string(),
  subscription_details: z.strictObject(prorated),
});
const expanded = z.strictObject({
  expand: z.tuple([z.literal("schedule"), z.literal("latest_invoice")]),
});

/** Changes of plan at once and their previews, and a subscription with all that is planned for it. */
export function createStripeChanges({ baseUrl, state, prices, billing }: ChangesContext): Router {
  const changes = Router();
  const context = (subscription: StripeSubscription) =>
    ({ subscription, prices, generation: "basil", baseUrl }) as const;
  const render = (subscription: StripeSubscription) =>
    renderSubscription(subscription, requirePrice(prices, subscription.priceId), "basil");

  changes.get("/subscriptions/:id", (request, response, next) => {
    if (request.query.expand === undefined) return next();
    parseParams(expanded, request.query);
    const subscription = requireSubscription(state, request.params.id);
    const schedule = subscription.schedule && state.schedules[subscription.schedule];
    const invoice = subscription.latestInvoice && state.invoices[subscription.latestInvoice];
    response.json({
      ...render(subscription),
      schedule: schedule ? renderSchedule(schedule) : null,
      latest_invoice: invoice ? renderInvoice(invoice, context(subscription)) : null,
    });
  });

  changes.post("/invoices/create_preview", ({ body }, response) => {
    const { subscription: id, subscription_details: details } = parseParams(preview, body);
    const subscription = requireSubscription(state, id);
    const { priceId, at } = requireChange(subscription, details, prices);
    const lines = changeLines(subscription, { prices, priceId, at });
    response.json(renderPreview(lines, context(subscription)));
  });

  changes.post("/subscriptions/:id", ((request, response, next) => {
    if (request.body?.items === undefined) return next();
    const params = parseParams(change, request.body);
    const subscription = requireSubscription(state, request.params.id ?? "");
    if (subscription.status !== "active")
      throw refused("Only an active subscription can be changed in this way.");
    const { priceId, at } = requireChange(subscription, params, prices);
    billing.change(subscription, priceId, at);
    response.json(render(subscription));
  }) satisfies RequestHandler);

  return changes;
}

function requireSubscription({ subscriptions }: StripeState, id: string): StripeSubscription {
  const subscription = subscriptions[id];
  if (subscription) return subscription;
  const message = `No such subscription: '${id}'`;
  throw new StripeRefusal({ status: 404, code: "resource_missing", message, param: "id" });
}

/** Checks the item, the price, and that the date lies in the current period and not in the future. */
function requireChange(
  subscription: StripeSubscription,
  {
    items: [{ id, price: priceId }],
    proration_date: at,
  }: Pick<z.output<typeof change>, "items" | "proration_date">,
  prices: readonly SandboxPrice[],
): { priceId: string; at: number } {
  if (id !== subscription.itemId)
    throw refused(`No such subscription item: '${id}'`, "items[0][id]");
  const price = prices.find((candidate) => candidate.id === priceId);
  if (!price?.interval) throw refused(`No such recurring price: '${priceId}'`, "items[0][price]");
  const { start } = currentPeriod(subscription, requirePrice(prices, subscription.priceId));
  if (at * 1000 < start.getTime() || at > nowInSeconds() + CLOCK_SKEW)
    throw refused("The proration date must be within the current period.", "proration_date");
  return { priceId, at };
}

/** Seconds. */
const CLOCK_SKEW = 5;

function refused(message: string, param?: string): StripeRefusal {
  return new StripeRefusal({ status: 400, message, ...(param ? { param } : {}) });
}
