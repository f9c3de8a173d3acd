import { signAsStripe } from "../../lib/sign-delivery";
import { createControlActions } from "../payments/control-actions";
import { createProviderSandbox, type SandboxOptions } from "../payments/provider-sandbox";
import { createStripeApi } from "./stripe-api";
import { createStripeBilling } from "./stripe-billing";
import { createStripeControl } from "./stripe-control";
import { STRIPE_RETRY_SECONDS } from "./stripe-events";
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
      const billing = createStripeBilling({
        state,
        prices,
        engine: { ...engine, send: (events) => engine.send(events.filter(settings.isEnabled)) },
        generation: settings.generation,
        splitAt: settings.splitAt,
      });
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
            readEndpoint,
            readTaxStatus: settings.taxStatus,
          }),
        pages: createStripePages({ state, prices, billing, engine }),
        actions: createControlActions({ state, prices, findPayment, billing }),
        control: createStripeControl({
          state,
          prices,
          billing,
          engine,
          endpoint: settings.control,
        }),
      };
    },
  });
}
