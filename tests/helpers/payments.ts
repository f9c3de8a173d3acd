import { onTestFinished } from "vitest";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import type { Delivery } from "~/services/payments/billing-event";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { startPaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { parse } from "../fixtures/env";
import { MIDDLE_PACK, PLAN } from "../fixtures/sold";
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
  allowAddressesOf(env);
  const providers = {
    stripe: createPaymentProvider("stripe", env.payments),
    creem: createPaymentProvider("creem", env.payments),
  };
  return { receiver, sandbox, env, ...providers, control: createControl(sandbox.controlUrls) };
}

/** An adapter that reaches nobody: for tests that answer in its place. */
export const createTestProvider = (): PaymentProvider =>
  createPaymentProvider("stripe", parse({}).payments);

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

/** Buys and pays. Returns the buyer's return address and everything delivered by then, or by the time all is `settled`. */
export async function buy(
  { receiver, control, ...providers }: Awaited<ReturnType<typeof startPayments>>,
  name: ProviderName,
  item: "pack" | "plan",
  { settled = true } = {},
) {
  const provider = providers[name];
  const before = receiver.received.length;
  const checkout =
    item === "pack"
      ? await provider.createPackCheckout(createRequest({ skuKey: MIDDLE_PACK.skuKey }))
      : await provider.createSubscriptionCheckout(
          createRequest({ planKey: PLAN.planKey, period: "month" as const }),
        );
  const paid = await press(checkout.url, { intent: "pay" });
  if (settled) await control(name, "POST", "/deliveries/settle");
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

/** Where money goes back: an app under test, or `{ provider, control }`. */
interface AtProvider {
  provider: ProviderName;
  control: PaymentControl;
}

/** Options of `POST /payments/:id/refund` and `/dispute`; see docs/sandbox.md. */
interface Return {
  /** Minor units of the charge's currency. */
  amount?: number;
  status?: string;
}

/** Sends an order that must succeed, and returns the object. */
async function order(
  { provider, control }: AtProvider,
  path: string,
  body: object,
  method = "POST",
): Promise<Record<string, unknown>> {
  const reply = await control(provider, method, path, body);
  if (reply.status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply.body as Record<string, unknown>;
}

/**
 * Refunds a payment, named by its own id, its checkout's, or its subscription's (the last payment), and
 * returns the refund's id.
 */
export async function refund(at: AtProvider, payment: string, options: Return = {}) {
  return String((await order(at, `/payments/${payment}/refund`, options)).id);
}

/** Sets a refund's status: `succeeded`, `failed`, `canceled`. Creem tells nobody. */
export async function settleRefund(at: AtProvider, id: string, status: string): Promise<void> {
  await order(at, `/refunds/${id}/status`, { status });
}

/** Opens a dispute of a payment, named as for `refund`, and returns the dispute's id. */
export async function openDispute(
  at: AtProvider,
  payment: string,
  options: Return & { currency?: string } = {},
) {
  return String((await order(at, `/payments/${payment}/dispute`, options)).id);
}

/** Sets a dispute's status: `won`, `lost`, and at Stripe the steps before. Creem tells nobody. */
export async function closeDispute(at: AtProvider, id: string, status: string): Promise<void> {
  await order(at, `/disputes/${id}/status`, { status });
}

/** The buyer was charged this amount in this currency. Before anything goes back. */
export async function chargeIn(
  at: AtProvider,
  payment: string,
  charge: { amount: number; currency: string },
): Promise<void> {
  await order(at, `/payments/${payment}/charge`, charge, "PUT");
}

/** A line of an invoice at Stripe that the plan didn't make; see docs/sandbox.md. */
type OddLine =
  | { kind: "plan" }
  | { kind: "item"; amount: number; days?: number; price?: string }
  | { kind: "price"; amount: number; days?: number; price: string }
  | { kind: "proration"; amount: number; price: string };

/** Bills lines to a subscription at Stripe, at once or with its next renewal. */
export async function billLines(
  at: AtProvider,
  subscription: string,
  lines: OddLine[],
  options: { when?: "now" | "renewal"; reason?: string } = {},
): Promise<void> {
  await order(at, `/subscriptions/${subscription}/invoice`, { lines, ...options });
}

/** From now on two payment intents pay each invoice at Stripe: the first `first` minor units; null: one pays. */
export async function splitInvoices({ control }: AtProvider, first: number | null): Promise<void> {
  await order({ provider: "stripe", control }, "/split", { first }, "PUT");
}

/** Adds a price to the provider's account, or changes one, as in the dashboard. */
export async function setPrice(
  at: AtProvider,
  id: string,
  price: { amount: number; interval: "month" | "year" | null; currency?: string },
): Promise<void> {
  await order(at, `/prices/${id}`, price, "PUT");
}

/** Replaces a subscription's price without a charge, as in the dashboard. */
export async function setSubscriptionPrice(
  at: AtProvider,
  subscription: string,
  price: string,
): Promise<void> {
  await order(at, `/subscriptions/${subscription}/price`, { price });
}
