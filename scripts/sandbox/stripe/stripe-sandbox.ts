import express, { type Express } from "express";
import { z } from "zod";
import { signAsStripe } from "../../lib/sign-delivery";
import { type ControlActions, createControlRoutes } from "../payments/control-routes";
import { createDeliveryEngine, type SandboxEvent } from "../payments/delivery-engine";
import { type RecordedRequest, recordRequests } from "../payments/request-log";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import { openState } from "../payments/saved-state";
import { createStripeApi } from "./stripe-api";
import { createStripeBilling, type StripeBilling } from "./stripe-billing";
import { STRIPE_RETRY_SECONDS } from "./stripe-events";
import { createStripePages } from "./stripe-pages";
import { emptyStripeState, type StripeState } from "./stripe-state";
import type { Generation } from "./subscription-objects";

interface StripeSandboxOptions {
  secretKey: string;
  webhookSecret: string;
  webhookUrl: string;
  prices: readonly SandboxPrice[];
  retrySpeed: number;
  /** Where its state is kept; in memory alone without it. */
  stateFile: string | undefined;
}

/** What the endpoint is registered for; other events are never sent to it. */
const enabledEvents = z.strictObject({ events: z.array(z.string()).min(1) });
const payloads = z.strictObject({ generation: z.enum(["acacia", "basil"]) });

/** A stand-in for Stripe: its API under `/v1`, its hosted pages, its webhooks, and a remote control. */
export function createStripeSandbox(options: StripeSandboxOptions) {
  const { data: state, save } = openState(options.stateFile, emptyStripeState());
  const requests: RecordedRequest[] = [];
  let generation: Generation = "basil";
  const engine = createDeliveryEngine({
    webhookUrl: options.webhookUrl,
    sign: signAsStripe(options.webhookSecret),
    isAccepted: (status) => status >= 200 && status < 300,
    retrySeconds: STRIPE_RETRY_SECONDS,
    retrySpeed: options.retrySpeed,
  });
  const { prices, secretKey } = options;
  let enabled = ["*"];
  const isEnabled = ({ type }: SandboxEvent) => enabled.includes("*") || enabled.includes(type);
  const billing = createStripeBilling({
    state,
    prices,
    engine: { ...engine, send: (events) => engine.send(events.filter(isEnabled)) },
    generation: () => generation,
  });
  const readEndpoint = () => ({ url: engine.webhookUrl(), events: enabled });

  function createApp(baseUrl: string): Express {
    const app = express();
    app.disable("x-powered-by");
    app.use((_request, response, next) => {
      response.on("finish", save);
      next();
    });
    const record = recordRequests(requests);
    app.use(
      "/v1",
      createStripeApi({ baseUrl, secretKey, state, prices, billing, readEndpoint, record }),
    );
    // The endpoint's API version, which decides the shape of what is delivered.
    app.put("/control/payloads", express.json(), ({ body }, response) => {
      generation = payloads.parse(body).generation;
      response.json({ generation });
    });
    app.put("/control/enabled-events", express.json(), ({ body }, response) => {
      enabled = enabledEvents.parse(body).events;
      response.json({ events: enabled });
    });
    app.use("/control", createControlRoutes(engine, requests, createActions(state, billing)));
    app.use(createStripePages({ state, prices, billing, engine }));
    return app;
  }

  return { createApp, engine };
}

function createActions(state: StripeState, billing: StripeBilling): ControlActions {
  const findPayment = (id: string) =>
    state.payments[id] ?? Object.values(state.payments).find(({ session }) => session === id);
  const findRunning = (id: string) => {
    const subscription = state.subscriptions[id];
    return subscription?.status === "canceled" ? undefined : subscription;
  };
  return {
    readState: () => state,
    refund(id, amount) {
      const payment = findPayment(id);
      if (!payment || payment.refunded === payment.amount) return null;
      billing.refund(payment, amount ?? payment.amount - payment.refunded);
      return payment;
    },
    dispute(id, amount) {
      const payment = findPayment(id);
      return payment ? billing.dispute(payment, amount ?? payment.amount) : null;
    },
    renew(id, outcome) {
      const subscription = findRunning(id);
      if (!subscription) return null;
      billing.renew(subscription, outcome === "succeed");
      return subscription;
    },
    collect(id) {
      const subscription = findRunning(id);
      if (!subscription?.openInvoice) return null;
      billing.collect(subscription, subscription.openInvoice);
      return subscription;
    },
    cancel(id) {
      const subscription = findRunning(id);
      if (!subscription) return null;
      billing.end(subscription);
      return subscription;
    },
  };
}
