import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import type { SubscriptionChanged } from "~/services/payments/billing-event";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { HAS_TWO_PLANS, PLAN, TOP_PLAN } from "../../fixtures/sold";
import { buy, startPayments } from "../../helpers/payments";

const TIMEOUT_MS = 5_000;

/** The first plan by the month, and what its provider says of it. */
async function subscribe(name: "stripe" | "creem") {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, name, "plan");
  const isChange = (event: { kind: string }): event is SubscriptionChanged =>
    event.kind === "subscription_changed";
  const changed = deliveries.flatMap(({ events }) => events).find(isChange);
  if (!changed) throw new Error("no subscription was created");
  const own = { providerSubscriptionId: changed.providerSubscriptionId };
  const provider = payments[name];
  return {
    ...{ own, provider, env: payments.env, renewsAt: changed.currentPeriodEnd },
    findOutlook: () => provider.findOutlook({ ...own, timeoutMs: TIMEOUT_MS }),
    saveCard: (saved: object | null) =>
      payments.control("stripe", "PUT", `/customers/${changed.customerId}/card`, { saved }),
  };
}

test("Stripe tells the card that pays a plan, and the invoice of its renewal", async () => {
  const { findOutlook, renewsAt } = await subscribe("stripe");
  expect(await findOutlook()).toEqual({
    card: { brand: "visa", lastFour: "4242" },
    nextInvoice: { at: renewsAt, price: { amount: PLAN.amounts.month, currency: CURRENCY } },
  });
});

test("a customer's card pays where the plan has none of its own, and a wallet has no number", async () => {
  const { findOutlook, saveCard } = await subscribe("stripe");
  await saveCard({ brand: "mastercard", last4: "0044", on: "customer" });
  expect((await findOutlook())?.card).toEqual({ brand: "mastercard", lastFour: "0044" });
  await saveCard(null);
  expect(await findOutlook()).toMatchObject({ card: null, nextInvoice: {} });
});

test.runIf(HAS_TWO_PLANS)("the next invoice is that of the planned plan", async () => {
  const { findOutlook, provider, own, renewsAt } = await subscribe("stripe");
  await provider.planChanges.scheduleChange({
    ...{ ...own, planKey: TOP_PLAN.planKey, period: "month" },
  });
  expect((await findOutlook())?.nextInvoice).toEqual({
    at: renewsAt,
    price: { amount: TOP_PLAN.amounts.month, currency: CURRENCY },
  });
});

test("Creem tells when it charges next, but neither the card nor the amount", async () => {
  const { findOutlook, renewsAt } = await subscribe("creem");
  expect(await findOutlook()).toEqual({ card: null, nextInvoice: { at: renewsAt, price: null } });
});

for (const name of ["stripe", "creem"] as const) {
  test(`${name}: a plan that ends has no next invoice, and one that is kept has it again`, async () => {
    const { findOutlook, provider, own } = await subscribe(name);
    await provider.cancelSubscription({ ...own, when: "period_end" });
    expect((await findOutlook())?.nextInvoice).toBeNull();
    await provider.resumeSubscription(own);
    expect((await findOutlook())?.nextInvoice).not.toBeNull();
    await provider.cancelSubscription({ ...own, when: "now" });
    expect((await findOutlook())?.nextInvoice).toBeNull();
  });

  test(`${name}: a subscription that it doesn't have is not found`, async () => {
    const { provider } = await subscribe(name);
    const request = { providerSubscriptionId: "sub_unknown", timeoutMs: TIMEOUT_MS };
    expect(await provider.findOutlook(request)).toBeNull();
  });

  test(`${name}: a provider that doesn't answer is given up after the time limit, at the first try`, async () => {
    const { env, own } = await subscribe(name);
    let requests = 0;
    const silent = createServer(() => {
      requests += 1;
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const apiBase = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const payments = {
      ...env.payments,
      stripe: { ...env.payments.stripe, apiBase },
      creem: { ...env.payments.creem, apiBase },
    };
    allowAddressesOf({ ...env, payments });
    const provider = createPaymentProvider(name, payments);
    await expect(provider.findOutlook({ ...own, timeoutMs: 3_000 })).rejects.toMatchObject({
      code: "provider_error",
    });
    expect(requests).toBe(1);
  });
}
