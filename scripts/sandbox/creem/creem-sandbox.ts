import express, { type Express } from "express";
import { signAsCreem } from "../../lib/sign-delivery";
import { type ControlActions, createControlRoutes } from "../payments/control-routes";
import { createDeliveryEngine } from "../payments/delivery-engine";
import { type RecordedRequest, recordRequests } from "../payments/request-log";
import type { SandboxPrice } from "../payments/sandbox-catalog";
import { openState } from "../payments/saved-state";
import { createCreemApi } from "./creem-api";
import { type CreemBilling, createCreemBilling } from "./creem-billing";
import { CREEM_RETRY_SECONDS } from "./creem-events";
import { createCreemPages } from "./creem-pages";
import { type CreemState, emptyCreemState } from "./creem-state";

interface CreemSandboxOptions {
  apiKey: string;
  webhookSecret: string;
  webhookUrl: string;
  products: readonly SandboxPrice[];
  retrySpeed: number;
  /** Where its state is kept; in memory alone without it. */
  stateFile: string | undefined;
}

/** A stand-in for Creem: its API under `/v1`, its hosted pages, its webhooks, and a remote control. */
export function createCreemSandbox(options: CreemSandboxOptions) {
  const { data: state, save } = openState(options.stateFile, emptyCreemState());
  const requests: RecordedRequest[] = [];
  const engine = createDeliveryEngine({
    webhookUrl: options.webhookUrl,
    sign: signAsCreem(options.webhookSecret),
    // Exactly 200: any other answer is tried again.
    isAccepted: (status) => status === 200,
    retrySeconds: CREEM_RETRY_SECONDS,
    retrySpeed: options.retrySpeed,
  });
  const { products, apiKey } = options;
  const billing = createCreemBilling({ state, products, engine });

  function createApp(baseUrl: string): Express {
    const app = express();
    app.disable("x-powered-by");
    app.use((_request, response, next) => {
      response.on("finish", save);
      next();
    });
    const record = recordRequests(requests);
    app.use("/v1", createCreemApi({ baseUrl, apiKey, state, products, billing, record }));
    app.use("/control", createControlRoutes(engine, requests, createActions(state, billing)));
    app.use(createCreemPages({ apiKey, state, products, billing, engine }));
    return app;
  }

  return { createApp, engine };
}

function createActions(state: CreemState, billing: CreemBilling): ControlActions {
  const findOrder = (id: string) =>
    state.orders[id] ?? Object.values(state.orders).find(({ checkout }) => checkout === id);
  const findRunning = (id: string) => {
    const subscription = state.subscriptions[id];
    return subscription?.status === "canceled" ? undefined : subscription;
  };
  return {
    readState: () => state,
    refund(id, amount) {
      const order = findOrder(id);
      if (!order || order.refunded === order.amount) return null;
      billing.refund(order, amount ?? order.amount - order.refunded);
      return order;
    },
    dispute(id, amount) {
      const order = findOrder(id);
      return order ? billing.dispute(order, amount ?? order.amount) : null;
    },
    renew(id, outcome) {
      const subscription = findRunning(id);
      if (!subscription) return null;
      billing.renew(subscription, outcome === "succeed");
      return subscription;
    },
    collect(id) {
      const subscription = findRunning(id);
      if (subscription?.status !== "past_due") return null;
      billing.collect(subscription);
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
