import { createHmac } from "node:crypto";
import Stripe from "stripe";
import type { ReceivedWebhook } from "./webhook-receiver";
import type { PaymentServerUnderTest } from "./with-payment-server";

/** Signs a delivery with this body as the provider would. With another secret it is a forgery. */
export function signWebhook(
  { provider, env }: Pick<PaymentServerUnderTest, "provider" | "env">,
  body: string | object,
  secret?: string,
): ReceivedWebhook {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = new Headers({ "Content-Type": "application/json" });
  if (provider === "stripe") {
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: text,
      secret: secret ?? env.PROVIDER_A_WEBHOOK_SECRET ?? "",
    });
    headers.set("Stripe-Signature", header);
  } else {
    const key = secret ?? env.PROVIDER_B_WEBHOOK_SECRET ?? "";
    headers.set("creem-signature", createHmac("sha256", key).update(text).digest("hex"));
  }
  return { rawBody: new TextEncoder().encode(text), headers, type: "", id: "" };
}

export interface WebhookBody {
  id?: string;
  created?: number;
  created_at?: number;
  [name: string]: unknown;
}

export function bodyOf({ rawBody }: ReceivedWebhook): WebhookBody {
  return JSON.parse(new TextDecoder().decode(rawBody)) as WebhookBody;
}

/** Returns the delivery with another body and a new, valid signature. */
export function altered(
  app: PaymentServerUnderTest,
  webhook: ReceivedWebhook,
  change: (body: WebhookBody) => WebhookBody,
): ReceivedWebhook {
  return { ...signWebhook(app, change(bodyOf(webhook))), type: webhook.type };
}

/** The same event under another id. */
export const underAnotherId = (app: PaymentServerUnderTest, webhook: ReceivedWebhook) =>
  altered(app, webhook, (body) => ({ ...body, id: `${body.id}_again` }));

/** The same event without an id. */
export const withoutId = (app: PaymentServerUnderTest, webhook: ReceivedWebhook) =>
  altered(app, webhook, ({ id: _id, ...body }) => body);
