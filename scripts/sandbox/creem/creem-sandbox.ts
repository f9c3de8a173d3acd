import { Router } from "express";
import { signAsCreem } from "../../lib/sign-delivery";
import { createControlActions } from "../payments/control-actions";
import { createProviderSandbox, type SandboxOptions } from "../payments/provider-sandbox";
import { createCreemApi } from "./creem-api";
import { creemBehavior } from "./creem-behavior";
import { type CreemBilling, createCreemBilling } from "./creem-billing";
import { CREEM_RETRY_SECONDS } from "./creem-events";
import { createCreemPages } from "./creem-pages";
import { upgradeCreemState } from "./creem-saved-state";
import { type CreemState, emptyCreemState } from "./creem-state";

/** Control routes of Creem only: a status that no other provider has. */
function createCreemControl(state: CreemState, billing: CreemBilling): Router {
  const control = Router();
  control.post("/subscriptions/:id/expire", ({ params }, response) => {
    const subscription = state.subscriptions[params.id];
    if (!subscription) return void response.status(404).json({});
    billing.expire(subscription);
    response.json(subscription);
  });
  return control;
}

/** A stand-in for Creem. Its prices are Creem's products. */
export function createCreemSandbox(options: SandboxOptions) {
  const { apiKey, webhookSecret } = options;
  return createProviderSandbox(options, {
    emptyState: emptyCreemState(),
    upgradeState: upgradeCreemState,
    delivery: {
      sign: signAsCreem(webhookSecret),
      // Exactly 200: Creem retries on any other status.
      isAccepted: (status) => status === 200,
      retrySeconds: CREEM_RETRY_SECONDS,
    },
    open({ state, prices: products, engine }) {
      let behavior = creemBehavior.parse({});
      const billing = createCreemBilling({ state, products, engine, behavior: () => behavior });
      const control = createCreemControl(state, billing);
      control.put("/behavior", ({ body }, response) => {
        behavior = creemBehavior.parse(body);
        response.json(behavior);
      });
      const findPayment = (id: string) =>
        state.orders[id] ??
        Object.values(state.orders).find(({ transaction }) => transaction === id) ??
        Object.values(state.orders).find(({ checkout }) => checkout === id) ??
        Object.values(state.orders).findLast(({ subscription }) => subscription === id);
      return {
        createApi: (context) =>
          createCreemApi({
            ...context,
            apiKey,
            state,
            products,
            billing,
            behavior: () => behavior,
          }),
        pages: createCreemPages({ apiKey, state, products, billing, engine }),
        actions: createControlActions({ state, prices: products, findPayment, billing }),
        control,
      };
    },
  });
}
