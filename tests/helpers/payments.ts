import { onTestFinished } from "vitest";
import type { Delivery } from "~/services/payments/billing-event";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { startPaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { parse } from "../fixtures/env";
import { type ReceivedWebhook, startWebhookReceiver } from "./webhook-receiver";

export type ProviderName = "stripe" | "creem";

/** Sends an order to a stand-in's control address; see `control-routes.ts`. */
export type PaymentControl = ReturnType<typeof createControl>;

export const BUYER = {
  userId: "6f1c0e0a-3c39-4b67-9f55-0f4a7f1d2c3b",
  site: "localhost:3000",
  email: "buyer@example.com",
  customerId: null,
  successUrl: "http://localhost:3000/en/checkout/success",
  cancelUrl: "http://localhost:3000/en/checkout/cancelled",
};

let attempts = 0;

/** A request as the app makes it, with a new key. */
export function createRequest<T extends object>(item: T) {
  attempts += 1;
  return { ...BUYER, requestId: `request-${process.pid}-${attempts}`, ...item };
}

/**
 * Starts both sandboxes, their adapters, and a receiver in the app's place; all stop with the test.
 */
export async function startPayments(options: { retrySpeed?: number; directory?: string } = {}) {
  const receiver = await startWebhookReceiver();
  const sandbox = await startPaymentSandbox({
    stripePort: 0,
    creemPort: 0,
    webhookUrl: receiver.url,
    ...options,
  });
  onTestFinished(async () => {
    await sandbox.stop();
    await receiver.stop();
  });
  const env = parse({ NEXT_PUBLIC_SITE_URL: "http://localhost:3000", ...sandbox.env });
  const providers = {
    stripe: createPaymentProvider("stripe", env.payments),
    creem: createPaymentProvider("creem", env.payments),
  };
  return { receiver, sandbox, env, ...providers, control: createControl(sandbox.controlUrls) };
}

export function createControl(urls: Record<ProviderName, string>) {
  return async (provider: ProviderName, method: string, path: string, body?: object) => {
    const response = await fetch(urls[provider] + path, {
      method,
      ...(body
        ? { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }
        : {}),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };
}

/** Presses a button of a hosted page, as a browser without JavaScript does. */
export function press(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
}

/** Returns the adapter's reading of a delivery; a refused signature fails the test. */
export function verify(provider: PaymentProvider, webhook: ReceivedWebhook): Delivery {
  const result = provider.verifyWebhook(webhook.rawBody, webhook.headers);
  if (result.status !== "verified") throw new Error(`${webhook.type}: ${result.status}`);
  return result.delivery;
}

/** Buys and pays. Returns the buyer's return address and everything delivered meanwhile. */
export async function buy(
  { receiver, ...providers }: Awaited<ReturnType<typeof startPayments>>,
  name: ProviderName,
  item: "pack" | "plan",
) {
  const provider = providers[name];
  const before = receiver.received.length;
  const checkout =
    item === "pack"
      ? await provider.createPackCheckout(createRequest({ skuKey: "credits_medium" as const }))
      : await provider.createSubscriptionCheckout(
          createRequest({ planKey: "starter" as const, period: "month" as const }),
        );
  const paid = await press(checkout.url, { intent: "pay" });
  const deliveries = receiver.received.slice(before).map((it) => verify(provider, it));
  return { checkout, returnUrl: paid.headers.get("Location") ?? "", deliveries };
}

/** A request that a payment stand-in received. */
interface Recorded {
  method: string;
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

/** The requests that an app's stand-in received at these paths, oldest first. */
export async function requestsTo(
  app: {
    provider: "stripe" | "creem";
    control(provider: "stripe" | "creem", method: string, path: string): Promise<{ body: unknown }>;
  },
  path: RegExp,
): Promise<Recorded[]> {
  const { body } = await app.control(app.provider, "GET", "/requests");
  return (body as Recorded[]).filter((request) => path.test(request.path));
}
