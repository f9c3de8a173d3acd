import { randomBytes } from "node:crypto";
import path from "node:path";
import { createCreemSandbox } from "./creem/creem-sandbox";
import { type CatalogPrice, createSandboxPrices } from "./payments/sandbox-catalog";
import { type RunningServer, serveLocally } from "./serve-locally";
import { createStripeSandbox } from "./stripe/stripe-sandbox";

export interface PaymentSandbox {
  /** Values of the app's payment variables to use it, with Stripe as the active provider. */
  env: Record<string, string>;
  /** Control URL of each sandbox: see `payments/control-routes.ts`. */
  controlUrls: { stripe: string; creem: string };
  stop(): Promise<void>;
}

interface PaymentSandboxOptions {
  /** 0 takes any free port. */
  stripePort: number;
  creemPort: number;
  /** The app's `/api/payments/webhook`. */
  webhookUrl: string;
  /** How many times faster than the providers it retries deliveries. */
  retrySpeed?: number;
  /** Folder that keeps customers and subscriptions between starts; by default they stay in memory. */
  directory?: string;
  /** Keys that are the same at each start, so that an environment made from them stays right. */
  fixedKeys?: boolean;
}

/** Starts stand-ins for Stripe and Creem on this machine. By default their keys are new each time. */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<PaymentSandbox> {
  const { stripePort, creemPort, webhookUrl, retrySpeed = 60, directory } = options;
  const createKey = (prefix: string) =>
    `${prefix}sandbox_${options.fixedKeys ? "fixed" : randomBytes(16).toString("hex")}`;
  const keys = {
    stripeSecret: createKey("sk_test_"),
    stripePublishable: createKey("pk_test_"),
    stripeWebhook: createKey("whsec_"),
    creemKey: createKey("creem_test_"),
    creemWebhook: createKey("whsec_"),
  };
  const prices = createSandboxPrices("price");
  const products = createSandboxPrices("prod");
  const stripe = createStripeSandbox({
    apiKey: keys.stripeSecret,
    webhookSecret: keys.stripeWebhook,
    webhookUrl,
    prices,
    retrySpeed,
    stateFile: directory && path.join(directory, "stripe.json"),
  });
  const creem = createCreemSandbox({
    apiKey: keys.creemKey,
    webhookSecret: keys.creemWebhook,
    webhookUrl,
    prices: products,
    retrySpeed,
    stateFile: directory && path.join(directory, "creem.json"),
  });
  const stripeServer = await serveLocally(stripePort, stripe.createApp);
  let creemServer: RunningServer;
  try {
    creemServer = await serveLocally(creemPort, creem.createApp);
  } catch (error) {
    await stripeServer.stop();
    throw error;
  }
  return {
    env: {
      NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
      PAYMENTS_PROVIDER: "stripe",
      PROVIDER_A_TOP_UP: "true",
      PROVIDER_A_SECRET_KEY: keys.stripeSecret,
      NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: keys.stripePublishable,
      PROVIDER_A_WEBHOOK_SECRET: keys.stripeWebhook,
      PROVIDER_A_API_BASE: stripeServer.url,
      ...variablesOf("PROVIDER_A_PRICE", prices),
      PROVIDER_B_API_KEY: keys.creemKey,
      PROVIDER_B_WEBHOOK_SECRET: keys.creemWebhook,
      PROVIDER_B_API_BASE: creemServer.url,
      ...variablesOf("PROVIDER_B_PRODUCT", products),
    },
    controlUrls: { stripe: `${stripeServer.url}/control`, creem: `${creemServer.url}/control` },
    async stop() {
      await Promise.all([stripe.engine.stop(), creem.engine.stop()]);
      await Promise.all([stripeServer.stop(), creemServer.stop()]);
    },
  };
}

function variablesOf(prefix: string, prices: readonly CatalogPrice[]): Record<string, string> {
  return Object.fromEntries(prices.map(({ slot, id }) => [`${prefix}_${slot.toUpperCase()}`, id]));
}
