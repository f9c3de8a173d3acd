import { Router } from "express";
import { signAsStripe } from "../../lib/sign-delivery";
import { createControlActions } from "../payments/control-actions";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createProviderSandbox, type SandboxOptions } from "../payments/provider-sandbox";
import { createCardControl } from "./card-control";
import { createAnswerMode } from "./lost-answers";
import { createSetupPages } from "./setup-pages";
import { createStripeApi } from "./stripe-api";
import { createStripeBilling } from "./stripe-billing";
import { createStripeControl } from "./stripe-control";
import { createStripeEvent, STRIPE_RETRY_SECONDS } from "./stripe-events";
import { createStripeCards } from "./stripe-kept-cards";
import { createStripePages } from "./stripe-pages";
import { upgradeStripeState } from "./stripe-saved-state";
import { createSettings } from "./stripe-settings";
import { emptyStripeState } from "./stripe-state";

/** A stand-in for Stripe. */
export function createStripeSandbox(options: SandboxOptions) {
  const { apiKey: secretKey, webhookSecret } = options;
  return createProviderSandbox(options, {
    emptyState: emptyStripeState(),
    upgradeState: upgradeStripeState,
    delivery: {
      sign: signAsStripe(webhookSecret),
      isAccepted: (status) => status >= 200 && status < 300,
      retrySeconds: STRIPE_RETRY_SECONDS,
    },
    open({ state, prices, engine }) {
      const settings = createSettings();
      const send = (events: SandboxEvent[]) => engine.send(events.filter(settings.isEnabled));
      const billing = createStripeBilling({
        state,
        prices,
        engine: { ...engine, send },
        generation: settings.generation,
        splitAt: settings.splitAt,
      });
      const cards = createStripeCards({
        state,
        send,
        event: (type, object) => createStripeEvent(type, object, settings.generation()),
      });
      const answers = createAnswerMode();
      const readEndpoint = () => ({ url: engine.webhookUrl(), events: settings.events() });
      const lastInvoiceOf = (id: string) =>
        Object.values(state.invoices).findLast(({ subscription }) => subscription === id);
      const findPayment = (id: string) =>
        state.payments[id] ??
        Object.values(state.payments).find(({ session }) => session === id) ??
        state.payments[lastInvoiceOf(id)?.payments[0]?.id ?? ""];
      return {
        createApi: (context) =>
          createStripeApi({
            ...context,
            secretKey,
            state,
            prices,
            billing,
            cards,
            answers,
            readEndpoint,
            readTaxStatus: settings.taxStatus,
          }),
        pages: Router().use(
          createSetupPages({ state, cards, engine }),
          createStripePages({ state, prices, billing, engine }),
        ),
        actions: createControlActions({ state, prices, findPayment, billing }),
        control: createStripeControl({
          state,
          prices,
          billing,
          engine,
          endpoint: settings.control.use(answers.control, createCardControl({ state, cards })),
        }),
      };
    },
  });
}
