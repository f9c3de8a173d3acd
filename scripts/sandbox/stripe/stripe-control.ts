import type { Router } from "express";
import { z } from "zod";
import { asyncRoute } from "../payments/async-route";
import { SETTLE_MS } from "../payments/control-routes";
import type { DeliveryEngine } from "../payments/delivery-engine";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import type { StripeBilling } from "./stripe-billing";
import { createOddLine, oddInvoice } from "./stripe-odd-invoices";
import type { StripeState } from "./stripe-state";

const portalFeatures = z.strictObject({
  active: z.boolean().optional(),
  features: z.record(z.string(), z.looseObject({})).default({}),
});
const card = z.strictObject({
  declines: z.boolean().optional(),
  saved: z
    .strictObject({
      brand: z.string(),
      last4: z.string().regex(/^\d{4}$/),
      on: z.enum(["subscription", "customer"]).default("subscription"),
    })
    .nullish(),
});

/** Control routes of Stripe only: its endpoint's settings, schedules, cards, and the portal's configurations. */
export function createStripeControl({
  state,
  prices,
  billing,
  engine,
  endpoint,
}: {
  state: StripeState;
  prices: readonly SandboxPrice[];
  billing: StripeBilling;
  engine: DeliveryEngine;
  endpoint: Router;
}): Router {
  endpoint.post("/subscriptions/:id/schedule", ({ params }, response) => {
    const subscription = state.subscriptions[params.id];
    if (!subscription) return void response.status(404).json({});
    response.json(billing.schedule(subscription));
  });
  // Lines that the plan didn't make, on an invoice of their own or on the next renewal's.
  endpoint.post(
    "/subscriptions/:id/invoice",
    asyncRoute(async ({ params, body }, response) => {
      const { lines: ordered, when, reason } = oddInvoice.parse(body);
      const subscription = state.subscriptions[params.id ?? ""];
      if (!subscription) return void response.status(404).json({});
      const lines = ordered.map((line) => createOddLine(line, subscription, prices));
      if (when === "renewal") {
        subscription.pendingLines.push(...lines);
        return void response.json(subscription);
      }
      const invoice = billing.bill(subscription, { reason, lines });
      await engine.idle(SETTLE_MS);
      response.json(invoice);
    }),
  );
  // A customer's saved card, and whether it is declined when a change of plan is charged.
  endpoint.put("/customers/:id/card", ({ params: { id }, body }, response) => {
    const { declines, saved } = card.parse(body);
    if (saved !== undefined) state.cards[id] = saved;
    const others = state.decliningCustomers.filter((customer) => customer !== id);
    if (declines !== undefined) state.decliningCustomers = declines ? [...others, id] : others;
    response.json({ declines: state.decliningCustomers.includes(id), saved: state.cards[id] });
  });
  // As in the dashboard: some settings of some features.
  endpoint.patch("/portal-configurations/:id", ({ params, body }, response) => {
    const configuration = state.portalConfigurations[params.id];
    if (!configuration) return void response.status(404).json({});
    const { active, features } = portalFeatures.parse(body);
    for (const [name, settings] of Object.entries(features))
      Object.assign(Reflect.get(configuration.features, name), settings);
    configuration.active = active ?? configuration.active;
    response.json(configuration);
  });
  return endpoint;
}
