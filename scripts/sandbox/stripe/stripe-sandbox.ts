import { Router } from "express";
import { z } from "zod";
import { signAsStripe } from "../../lib/sign-delivery";
import { createControlActions } from "../payments/control-actions";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createProviderSandbox, type SandboxOptions } from "../payments/provider-sandbox";
import { createStripeApi } from "./stripe-api";
import { createStripeBilling, type StripeBilling } from "./stripe-billing";
import { STRIPE_RETRY_SECONDS } from "./stripe-events";
import { createStripePages } from "./stripe-pages";
import type { TaxStatus } from "./stripe-reads";
import { emptyStripeState, type StripeState } from "./stripe-state";
import type { Generation } from "./subscription-objects";

/** A stand-in for Stripe. */
export function createStripeSandbox(options: SandboxOptions) {
  const { apiKey: secretKey, prices, webhookSecret } = options;
  return createProviderSandbox(options, {
    emptyState: emptyStripeState(),
    delivery: {
      sign: signAsStripe(webhookSecret),
      isAccepted: (status) => status >= 200 && status < 300,
      retrySeconds: STRIPE_RETRY_SECONDS,
    },
    open({ state, engine }) {
      const settings = createSettings();
      const billing = createStripeBilling({
        state,
        prices,
        engine: { ...engine, send: (events) => engine.send(events.filter(settings.isEnabled)) },
        generation: settings.generation,
      });
      const readEndpoint = () => ({ url: engine.webhookUrl(), events: settings.events() });
      const lastInvoiceOf = (id: string) =>
        Object.values(state.invoices).findLast(({ subscription }) => subscription === id);
      const findPayment = (id: string) =>
        state.payments[id] ??
        Object.values(state.payments).find(({ session }) => session === id) ??
        state.payments[lastInvoiceOf(id)?.payment ?? ""];
      return {
        createApi: (context) =>
          createStripeApi({
            ...context,
            secretKey,
            state,
            prices,
            billing,
            readEndpoint,
            readTaxStatus: settings.taxStatus,
          }),
        pages: createStripePages({ state, prices, billing, engine }),
        actions: createControlActions({ state, findPayment, billing }),
        control: createStripeControl({ state, billing, endpoint: settings.control }),
      };
    },
  });
}

const portalFeatures = z.strictObject({
  active: z.boolean().optional(),
  features: z.record(z.string(), z.looseObject({})).default({}),
});
const card = z.strictObject({ declines: z.boolean() });

/** Control routes of Stripe only: its endpoint's settings, schedules, cards, and the portal's configurations. */
function createStripeControl({
  state,
  billing,
  endpoint,
}: {
  state: StripeState;
  billing: StripeBilling;
  endpoint: Router;
}): Router {
  endpoint.post("/subscriptions/:id/schedule", ({ params }, response) => {
    const subscription = state.subscriptions[params.id];
    if (!subscription) return void response.status(404).json({});
    response.json(billing.schedule(subscription));
  });
  // Whether a customer's saved card is declined when a change of plan is charged.
  endpoint.put("/customers/:id/card", ({ params: { id }, body }, response) => {
    const { declines } = card.parse(body);
    const others = state.decliningCustomers.filter((customer) => customer !== id);
    state.decliningCustomers = declines ? [...others, id] : others;
    response.json({ declines });
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

const enabledEvents = z.strictObject({ events: z.array(z.string()).min(1) });
const payloads = z.strictObject({ generation: z.enum(["acacia", "basil"]) });

const taxSettings = z.strictObject({ status: z.enum(["active", "pending"]) });

/** The account's settings in the dashboard, and the control routes that change them. */
function createSettings() {
  let generation: Generation = "basil";
  let enabled = ["*"];
  let taxStatus: TaxStatus = "active";
  const control = Router();
  // The endpoint's API version decides the shape of its payloads.
  control.put("/payloads", ({ body }, response) => {
    generation = payloads.parse(body).generation;
    response.json({ generation });
  });
  // Events of other types are never sent to the settings.
  control.put("/enabled-events", ({ body }, response) => {
    enabled = enabledEvents.parse(body).events;
    response.json({ events: enabled });
  });
  control.put("/tax", ({ body }, response) => {
    taxStatus = taxSettings.parse(body).status;
    response.json({ status: taxStatus });
  });
  return {
    control,
    taxStatus: () => taxStatus,
    generation: () => generation,
    events: () => enabled,
    isEnabled: ({ type }: SandboxEvent) => enabled.includes("*") || enabled.includes(type),
  };
}
