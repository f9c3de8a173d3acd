import { Router } from "express";
import { z } from "zod";
import { signAsStripe } from "../../lib/sign-delivery";
import { createControlActions } from "../payments/control-actions";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createProviderSandbox, type SandboxOptions } from "../payments/provider-sandbox";
import { createStripeApi } from "./stripe-api";
import { createStripeBilling } from "./stripe-billing";
import { STRIPE_RETRY_SECONDS } from "./stripe-events";
import { createStripePages } from "./stripe-pages";
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
      const endpoint = createEndpoint();
      const billing = createStripeBilling({
        state,
        prices,
        engine: { ...engine, send: (events) => engine.send(events.filter(endpoint.isEnabled)) },
        generation: endpoint.generation,
      });
      const readEndpoint = () => ({ url: engine.webhookUrl(), events: endpoint.events() });
      const findPayment = (id: string) =>
        state.payments[id] ?? Object.values(state.payments).find(({ session }) => session === id);
      return {
        createApi: (context) =>
          createStripeApi({ ...context, secretKey, state, prices, billing, readEndpoint }),
        pages: createStripePages({ state, prices, billing, engine }),
        actions: createControlActions({ state, findPayment, billing }),
        control: endpoint.control.use(createCardControl(state)),
      };
    },
  });
}

const card = z.strictObject({ declines: z.boolean() });

/** Whether a customer's saved card is declined when a change of plan is charged. */
function createCardControl(state: StripeState): Router {
  const control = Router();
  control.put("/customers/:id/card", ({ params: { id }, body }, response) => {
    const { declines } = card.parse(body);
    const others = state.decliningCustomers.filter((customer) => customer !== id);
    state.decliningCustomers = declines ? [...others, id] : others;
    response.json({ declines });
  });
  return control;
}

const enabledEvents = z.strictObject({ events: z.array(z.string()).min(1) });
const payloads = z.strictObject({ generation: z.enum(["acacia", "basil"]) });

/** The webhook endpoint's settings, and the control routes that change them. */
function createEndpoint() {
  let generation: Generation = "basil";
  let enabled = ["*"];
  const control = Router();
  // The endpoint's API version decides the shape of its payloads.
  control.put("/payloads", ({ body }, response) => {
    generation = payloads.parse(body).generation;
    response.json({ generation });
  });
  // Events of other types are never sent to the endpoint.
  control.put("/enabled-events", ({ body }, response) => {
    enabled = enabledEvents.parse(body).events;
    response.json({ events: enabled });
  });
  return {
    control,
    generation: () => generation,
    events: () => enabled,
    isEnabled: ({ type }: SandboxEvent) => enabled.includes("*") || enabled.includes(type),
  };
}
