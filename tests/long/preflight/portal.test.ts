import { expect, test } from "vitest";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkPaymentsOnline } from "../../../scripts/preflight/online/payments-online";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import { parse } from "../../fixtures/env";
import { REQUIRED, type Source } from "../../fixtures/preflight";
import { buy, press, startPayments } from "../../helpers/payments";
import { runScript } from "../../helpers/run-script";
import { createTestDatabase } from "../../helpers/test-database";

const SITE = "http://localhost:3000";
const DEFAULT = "bpc_SandboxDefault";

async function startPortal() {
  const payments = await startPayments();
  const databaseUrl = await createTestDatabase();
  const { sandbox, control } = payments;
  return {
    ...payments,
    /** Changes settings of a configuration, as in the dashboard. */
    set: (features: object, more: object = {}, id = DEFAULT) =>
      control("stripe", "PATCH", `/portal-configurations/${id}`, { features, ...more }),
    async check(change: Source = {}) {
      const configuration = readConfiguration({
        ...REQUIRED,
        NEXT_PUBLIC_SITE_URL: SITE,
        ...sandbox.env,
        ...change,
      });
      allowAddressesOf(configuration.env);
      const checks = await checkPaymentsOnline(configuration);
      return checks.find(({ id }) => id === "online.payments-portal");
    },
    run: (site = SITE, ...args: string[]) =>
      runScript("scripts/billing/billing.command.ts", ["portal", ...args], {
        AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
        DATABASE_URL: databaseUrl,
        ...sandbox.env,
        NEXT_PUBLIC_SITE_URL: site,
      }),
  };
}

const SAFE_UPDATE = {
  enabled: true,
  proration_behavior: "always_invoice",
  billing_cycle_anchor: "unchanged",
  default_allowed_updates: ["price"],
  schedule_at_period_end: {
    conditions: [{ type: "decreasing_item_amount" }, { type: "shortening_interval" }],
  },
};

test.each<[what: string, features: object]>([
  [
    "cancellation at the period's end",
    { subscription_cancel: { mode: "at_period_end", proration_behavior: "create_prorations" } },
  ],
  [
    "cancellation at once that pays nothing back",
    { subscription_cancel: { mode: "immediately", proration_behavior: "none" } },
  ],
  [
    "no cancellation",
    {
      subscription_cancel: {
        enabled: false,
        mode: "immediately",
        proration_behavior: "always_invoice",
      },
    },
  ],
  [
    "changes of plan that are paid at once, with downgrades at the period's end",
    { subscription_update: SAFE_UPDATE },
  ],
])("a portal with %s passes", async (_, features) => {
  const { set, check } = await startPortal();
  await set(features);
  expect(await check()).toMatchObject({
    status: "pass",
    message: "the default portal configuration gives no credits away",
  });
});

test.each<[features: object, message: RegExp]>([
  [
    { subscription_cancel: { mode: "immediately", proration_behavior: "create_prorations" } },
    /pays back unused time \(create_prorations\)/,
  ],
  [
    { subscription_cancel: { mode: "immediately", proration_behavior: "always_invoice" } },
    /pays back unused time \(always_invoice\)/,
  ],
  [{ subscription_pause: { enabled: true } }, /customers can pause/],
  [
    { subscription_update: { ...SAFE_UPDATE, proration_behavior: "create_prorations" } },
    /not charged at once \(create_prorations\)/,
  ],
  [
    { subscription_update: { ...SAFE_UPDATE, proration_behavior: "none" } },
    /not charged at once \(none\)/,
  ],
  [{ subscription_update: { ...SAFE_UPDATE, billing_cycle_anchor: "now" } }, /starts a new period/],
  [
    { subscription_update: { ...SAFE_UPDATE, default_allowed_updates: ["price", "quantity"] } },
    /change the quantity/,
  ],
  [
    {
      subscription_update: {
        ...SAFE_UPDATE,
        schedule_at_period_end: { conditions: [{ type: "decreasing_item_amount" }] },
      },
    },
    /downgrades take effect at once .*: shortening_interval\)/,
  ],
  [
    { subscription_update: { ...SAFE_UPDATE, schedule_at_period_end: { conditions: [] } } },
    /: decreasing_item_amount, shortening_interval\)/,
  ],
])("a portal with %j fails, and the setting is named", async (features, message) => {
  const { set, check } = await startPortal();
  await set(features);
  expect(await check()).toMatchObject({
    status: "fail",
    message: expect.stringMatching(message),
    action: expect.stringContaining("npm run billing -- portal"),
  });
});

test("every wrong setting is named at once", async () => {
  const { set, check } = await startPortal();
  await set({
    subscription_cancel: { mode: "immediately", proration_behavior: "always_invoice" },
    subscription_pause: { enabled: true },
  });
  const found = await check();
  expect(found?.message).toMatch(/unused time.*; customers can pause/);
  expect(found?.action).toMatch(/end of the billing period; turn pauses off, or run/);
});

test("a configuration that is inactive or not there fails, and a wrong default doesn't matter beside one", async () => {
  const { set, check, run } = await startPortal();
  const { stdout } = await run(SITE, "--json");
  const { id } = JSON.parse(stdout) as { id: string };
  await set({ subscription_pause: { enabled: true } });
  const own = { PROVIDER_A_PORTAL_CONFIGURATION: id };
  expect(await check()).toMatchObject({ status: "fail" });
  expect(await check(own)).toMatchObject({ status: "pass", message: expect.stringContaining(id) });
  await set({}, { active: false }, id);
  expect(await check(own)).toMatchObject({
    status: "fail",
    message: expect.stringContaining("inactive"),
  });
  expect(await check({ PROVIDER_A_PORTAL_CONFIGURATION: "bpc_gone" })).toMatchObject({
    status: "fail",
    message: expect.stringContaining("bpc_gone does not exist there"),
  });
});

test("the command makes one safe configuration a site, and brings it back when it was changed", async () => {
  const { set, check, run } = await startPortal();
  const first = await run();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created /) });
  const line = /^PROVIDER_A_PORTAL_CONFIGURATION=(bpc_\w+)$/m.exec(first.stdout);
  const id = line?.[1] ?? "";
  await set({ subscription_pause: { enabled: true } }, { active: false }, id);
  const own = { PROVIDER_A_PORTAL_CONFIGURATION: id };
  expect(await check(own)).toMatchObject({ status: "fail" });
  const again = await run();
  expect(again.stdout).toMatch(/^updated /);
  expect(again.stdout).toContain(`=${id}\n`);
  expect(await check(own)).toMatchObject({ status: "pass" });
  const other = await run("http://localhost:3001", "--json");
  expect(JSON.parse(other.stdout)).toMatchObject({ status: "created", isSet: false });
  expect(JSON.parse(other.stdout).id).not.toBe(id);
});

test("the portal route opens the configured portal: there a plan ends with its period only", async () => {
  const payments = await startPortal();
  const { deliveries } = await buy(payments, "stripe", "plan");
  const created = deliveries[1]?.events[0];
  if (created?.kind !== "subscription_changed") throw new Error("no subscription");
  const { id } = JSON.parse((await payments.run(SITE, "--json")).stdout) as { id: string };
  const open = async (configuration: string) => {
    const env = parse({
      NEXT_PUBLIC_SITE_URL: SITE,
      ...payments.sandbox.env,
      PROVIDER_A_PORTAL_CONFIGURATION: configuration,
    });
    const provider = createPaymentProvider("stripe", env.payments);
    return provider.createPortal({ customerId: created.customerId ?? "", returnUrl: SITE });
  };
  const portal = await open(id);
  if (portal.status !== "created") throw new Error("no portal");
  const { body } = await payments.control("stripe", "GET", "/requests");
  expect((body as RecordedRequest[]).at(-1)?.body).toMatchObject({ configuration: id });
  expect(await (await fetch(portal.url)).text()).not.toContain("Cancel now");
  await press(portal.url, { intent: "cancel_now", subscription: created.providerSubscriptionId });
  expect(await payments.stripe.checkSubscription(created)).toMatchObject({ status: "renewing" });
  // A configuration that is not there must not look like a customer who is not.
  await expect(open("bpc_gone")).rejects.toMatchObject({ code: "provider_error", status: 502 });
});
