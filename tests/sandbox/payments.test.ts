import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { allowAddresses } from "~/services/outgoing/allowed-origins.server";
import { writeMetadata } from "~/services/payments/billing-metadata";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { AppError } from "~/utils/app-error";
import { requireTestCredentials } from "../../scripts/test/test-credentials";
import { openCreemAccount, openStripeAccount } from "./provider-account";

/** Nobody pays the checkouts made here, so nobody returns to this site. */
const SITE = "https://example.com";

function openProvider() {
  const { provider, settings, items } = requireTestCredentials(process.env);
  allowAddresses({ stripe: [settings.stripe.apiBase], creem: [settings.creem.apiBase] });
  const account =
    provider === "stripe" ? openStripeAccount(settings.stripe) : openCreemAccount(settings.creem);
  return { provider: createPaymentProvider(provider, settings), account, items };
}

/**
 * Returns the call's result; a refusal shows the provider's own message, which the app only logs.
 */
async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    throw new Error(`${what}: ${cause instanceof Error ? cause.message : "unknown"}`);
  }
}

test("every priced item gets a checkout session that names buyer and item", async () => {
  const { provider, account, items } = openProvider();
  for (const item of items) {
    const userId = randomUUID();
    const request = {
      userId,
      site: new URL(SITE).host,
      email: "sandbox-test@example.com",
      customerId: null,
      requestId: randomUUID(),
      successUrl: `${SITE}/en/checkout/success`,
      cancelUrl: `${SITE}/en/checkout/cancelled`,
    };
    const what = item.type === "pack" ? item.skuKey : `${item.planKey} by the ${item.period}`;
    const { sessionId, url } = await ask(what, () =>
      item.type === "pack"
        ? provider.createPackCheckout({ ...request, ...item })
        : provider.createSubscriptionCheckout({ ...request, ...item }),
    );
    expect(url, what).toMatch(/^https?:\/\//);
    const { isTest, metadata } = await ask(what, () => account.readCheckout(sessionId));
    expect(isTest, what).toBe(true);
    expect(metadata, what).toMatchObject(writeMetadata(request, item));
  }
});

test("a customer gets a portal", async () => {
  const { provider, account } = openProvider();
  const { customerId, forget } = await ask("customer", () => account.findCustomer());
  try {
    const portal = await ask("portal", () =>
      provider.createPortal({ customerId, returnUrl: `${SITE}/en/account/billing` }),
    );
    expect(portal).toEqual({ status: "created", url: expect.stringMatching(/^https?:\/\//) });
  } finally {
    await forget();
  }
});
