import { afterAll, beforeEach } from "vitest";
import type { PaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { startPaymentSandbox } from "../../scripts/sandbox/payment-sandbox";
import { MIDDLE_PACK, PLAN } from "../fixtures/sold";
import { type Person, signUp } from "./client";
import { createControl, type PaymentControl, type ProviderName, press } from "./payments";
import { startTestServer, type TestServer } from "./test-server";
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from "./webhook-receiver";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

export interface PaymentServerUnderTest extends ServerUnderTest {
  provider: ProviderName;
  /** The server's environment, for further servers. */
  env: Record<string, string>;
  control: PaymentControl;
  /** Starts another server process on the same database. */
  startAnother(env?: Record<string, string>): Promise<TestServer>;
  /** Runs `happen` at the provider and returns the webhooks it wanted to send, undelivered. */
  hold(happen: () => Promise<unknown>): Promise<ReceivedWebhook[]>;
  /** Delivers a webhook, as the provider would. */
  deliver(webhook: ReceivedWebhook, url?: string): Promise<{ status: number; body: object }>;
  /** A new user, or `person`, pays for the item; nothing is delivered yet. */
  buy(
    item: "pack" | "plan",
    options?: { planKey?: string; period?: string; person?: Person },
  ): Promise<Purchase>;
}

export interface Purchase {
  person: Person;
  sessionId: string;
  webhooks: ReceivedWebhook[];
}

/**
 * Starts a server with a payment stand-in for this test file. Its deliveries are held back, so that
 * a test decides what arrives when, how often and in which order.
 */
export function withPaymentServer(
  provider: ProviderName = "stripe",
  more: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): PaymentServerUnderTest {
  let sandbox: PaymentSandbox;
  let receiver: WebhookReceiver;
  const context = withTestServer(async () => {
    receiver = await startWebhookReceiver();
    sandbox = await startPaymentSandbox({
      stripePort: 0,
      creemPort: 0,
      webhookUrl: receiver.url,
    });
    const env = {
      ...sandbox.env,
      PAYMENTS_PROVIDER: provider,
      CRON_SECRET: "cron-secret-for-tests-only",
      ...(typeof more === "function" ? await more() : more),
    };
    Object.assign(context, { provider, env, control: createControl(sandbox.controlUrls) });
    return env;
  }) as PaymentServerUnderTest;
  beforeEach(() => void receiver.received.splice(0));
  afterAll(async () => {
    await sandbox.stop();
    await receiver.stop();
  });

  context.startAnother = (env = {}) =>
    startTestServer({ DATABASE_URL: context.databaseUrl, ...context.env, ...env });
  context.hold = async (happen) => {
    const before = receiver.received.length;
    await happen();
    for (const name of ["stripe", "creem"] as const)
      await context.control(name, "POST", "/deliveries/settle");
    return receiver.received.slice(before);
  };
  context.deliver = async ({ rawBody, headers }, url = context.url) => {
    const response = await fetch(`${url}/api/payments/webhook`, {
      method: "POST",
      body: rawBody as Uint8Array<ArrayBuffer>,
      headers: deliveryHeaders(headers),
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  context.buy = async (item, { planKey = PLAN.planKey, period = "month", person: buyer } = {}) => {
    const person = buyer ?? (await signUp(context.url));
    let sessionId = "";
    const webhooks = await context.hold(async () => {
      const { status, body } =
        item === "pack"
          ? await person.json("POST", "/api/payments/checkout", { skuKey: MIDDLE_PACK.skuKey })
          : await person.json("POST", "/api/payments/subscription/checkout", { planKey, period });
      if (status !== 200) throw new Error(JSON.stringify(body));
      sessionId = String(body.sessionId);
      await press(String(body.url), { intent: "pay" });
    });
    return { person, sessionId, webhooks };
  };
  return context;
}

/** Returns the provider's own headers, without those of its connection. */
function deliveryHeaders(headers: Headers): Headers {
  const kept = new Headers();
  for (const [name, value] of headers)
    if (/signature|content-type|user-agent/.test(name)) kept.set(name, value);
  return kept;
}

/** Returns the one delivery of this type; fails if there isn't exactly one. */
export function ofType(webhooks: readonly ReceivedWebhook[], type: string): ReceivedWebhook {
  const found = webhooks.filter((webhook) => webhook.type === type);
  if (found.length !== 1 || !found[0]) {
    throw new Error(`${found.length} of ${type} in ${webhooks.map((it) => it.type).join(", ")}`);
  }
  return found[0];
}

/** Returns all orders in which the items can arrive. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) =>
    permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]),
  );
}
