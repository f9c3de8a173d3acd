import { beforeAll, expect, onTestFinished, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { LOCALES } from "~/i18n/locale";
import { OTHER_LOCALE } from "../../fixtures/languages";
import * as sold from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer();

async function another(env: Record<string, string>) {
  const server = await app.startAnother(env);
  onTestFinished(() => server.stop());
  return server;
}

const PACK = { intent: "pack", skuKey: sold.PACK.skuKey };
const PLAN = { intent: "plan", planKey: sold.PLAN.planKey, period: "month" };

/** A user with a running subscription, all of whose webhooks have arrived. */
async function subscriber(path: { planKey?: string; period?: string } = {}) {
  const { person, webhooks } = await app.buy("plan", path);
  for (const webhook of webhooks) await app.deliver(webhook);
  const [row] = await app.sql<{ id: string }>(
    "SELECT s.id FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1",
    [person.email],
  );
  return { person, subscriptionId: row?.id ?? "" };
}

let shared: Awaited<ReturnType<typeof subscriber>>;
beforeAll(async () => {
  shared = await subscriber({ period: "year" });
});

test("a form of the pricing page leads to the hosted checkout", async () => {
  const person = await signUp(app.url);
  for (const fields of [PACK, PLAN]) {
    const response = await person.post("/en/pricing", fields);
    expect(response.status).toBe(303);
    const hosted = await fetch(response.headers.get("Location") ?? "");
    expect(await hosted.text()).toContain("Stripe sandbox checkout");
  }
});

test("a visitor is sent to create an account, and from there to the checkout of the item", async () => {
  const response = await createClient(app.url).post(`/${OTHER_LOCALE}/pricing`, PACK);
  expect(response.status).toBe(303);
  const entry = new URL(response.headers.get("Location") ?? "", app.url);
  expect(entry.pathname).toBe(`/${OTHER_LOCALE}/sign-up`);
  const aim = new URL(entry.searchParams.get("redirectTo") ?? "", app.url);
  expect(aim.pathname).toBe(`/${OTHER_LOCALE}/checkout/start`);
  expect(Object.fromEntries(aim.searchParams)).toEqual(PACK);
});

test("an unknown form and an item that isn't for sale are a 400 with a message", async () => {
  const person = await signUp(app.url);
  const faults: Record<string, string>[] = [
    {},
    { ...PACK, intent: "gift" },
    { ...PACK, skuKey: "credits_huge" },
    { ...PLAN, planKey: "enterprise" },
    { ...PLAN, period: "week" },
  ];
  for (const fields of faults) {
    const response = await person.post("/en/pricing", fields);
    expect([fields, response.status]).toEqual([fields, 400]);
    expect(await response.text()).toContain("nothing was charged. Choose something from the list.");
  }
});

test("a second subscription is a 409 with the way to the first one", async () => {
  const response = await shared.person.post("/en/pricing", PLAN);
  expect(response.status).toBe(409);
  const page = await response.text();
  expect(page).toContain("You already have a plan, so nothing was charged.");
  expect(page).toContain('href="/en/account/billing"');
});

test("a provider that is down is a 502, and nothing was charged or changed", async () => {
  const server = await another({ PROVIDER_A_API_BASE: "http://127.0.0.1:9" });
  const person = await signUp(server.url);
  const response = await person.post("/en/pricing", PACK);
  expect(response.status).toBe(502);
  expect(await response.text()).toContain("Nothing was charged or changed.");
  expect((await server.allLogs()).some(({ code }) => code === "provider_error")).toBe(true);
  const { subscriptionId } = shared;
  const cancel = `/en/account/billing/cancel?subscription=${subscriptionId}`;
  const headers = { Cookie: shared.person.cookie() };
  for (const [path, fields] of [
    [cancel, {}],
    ["/en/account/billing", { intent: "portal" }],
  ] as const) {
    const body = new URLSearchParams(fields);
    const refused = await fetch(server.url + path, { method: "POST", headers, body });
    expect([path, refused.status]).toEqual([path, 502]);
    expect(await refused.text()).toContain("Nothing was charged or changed.");
  }
});

test.runIf(sold.HAS_TWO_PLANS && sold.HAS_TWO_PACKS)(
  "an item without a price is not offered, and requesting it is a 503",
  async () => {
    const server = await another({
      [sold.priceVariable(sold.PACK.skuKey)]: "",
      [sold.priceVariable(sold.PLAN_YEARLY)]: "",
      [sold.priceVariable(sold.TOP_MONTHLY)]: "",
      [sold.priceVariable(sold.TOP_YEARLY)]: "",
    });
    const person = await signUp(server.url);
    const page = await (await person.fetch("/en/pricing")).text();
    expect(page).not.toContain(`Buy ${sold.credits(sold.PACK.credits)}`);
    expect(page).toContain(`Buy ${sold.credits(sold.MIDDLE_PACK.credits)}`);
    expect(page).toContain(`${sold.shown(sold.PLAN.amounts.month, { short: true })}<`);
    expect(page).not.toContain(sold.shown(sold.PLAN.amounts.year, { short: true }));
    expect(page).not.toContain(sold.nameOf(sold.TOP_PLAN));
    expect((await person.post("/en/pricing", PACK)).status).toBe(503);
  },
);

test("while payments are off the prices page says so and has no form", async () => {
  const server = await another({ NEXT_PUBLIC_ENABLE_PAYMENTS: "false" });
  const person = await signUp(server.url);
  const page = await (await person.fetch("/en/pricing")).text();
  expect(page).toContain("Payments aren’t set up on this server");
  expect(page.match(/<main.*<\/main>/s)?.[0]).not.toContain("<form");
  expect((await person.post("/en/pricing", PACK)).status).toBe(503);
});

test("checkouts of pages and of the JSON interface share one limit", async () => {
  const server = await another({ RATE_LIMIT_SCALE: "0.1", TRUST_PROXY: "1" });
  const person = await signUp(server.url);
  expect((await person.post("/en/pricing", PACK)).status).toBe(303);
  const { status } = await person.json("POST", "/api/payments/checkout", {
    skuKey: sold.PACK.skuKey,
  });
  expect(status).toBe(200);
  const limited = await person.post("/en/pricing", PACK);
  expect(limited.status).toBe(429);
  expect(limited.headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(await limited.text()).toContain("Too many attempts. Nothing was charged.");
});

test("the pages after checkout need no session and change nothing", async () => {
  const before = await app.sql("SELECT count(*) FROM credit_transactions");
  for (const path of ["success?checkout_id=ch_1&signature=00", "success", "cancelled"]) {
    expect((await fetch(`${app.url}/${OTHER_LOCALE}/checkout/${path}`)).status).toBe(200);
  }
  expect(await app.sql("SELECT count(*) FROM credit_transactions")).toEqual(before);
});

test("every status of a subscription is said in every language", async () => {
  const STATUSES = {
    trialing: ["Trial", "Your trial of the"],
    active: ["Active", `for ${sold.shown(sold.PLAN.amounts.month)} a month`],
    past_due: ["Payment overdue", "When the open payment is made"],
    unpaid: ["Unpaid", "When the open payment is made"],
    paused: ["Paused", "When you resume the plan"],
    incomplete: ["Not confirmed yet", "When the payment provider confirms"],
    expired: ["Expired", "no new payment came"],
    canceled: ["Ended", "ended on"],
    unknown: ["Unknown", "that we don’t know"],
  };
  const { person, subscriptionId } = await subscriber();
  for (const [status, words] of Object.entries(STATUSES)) {
    await app.sql("UPDATE subscriptions SET status = $2::subscription_status WHERE id = $1", [
      subscriptionId,
      status,
    ]);
    const page = await (await person.fetch("/en/account/billing")).text();
    for (const word of words) expect([status, page.includes(word)]).toEqual([status, true]);
    for (const locale of LOCALES) {
      const response = await person.fetch(`/${locale}/account/billing`);
      expect([status, locale, response.status]).toEqual([status, locale, 200]);
    }
  }
});

test("only its owner can cancel a subscription, see an order, or open a portal", async () => {
  const stranger = await signUp(app.url);
  const cancel = `/en/account/billing/cancel?subscription=${shared.subscriptionId}`;
  expect((await shared.person.fetch(cancel)).status).toBe(200);
  expect((await stranger.fetch(cancel)).status).toBe(404);
  expect((await stranger.post(cancel, {})).status).toBe(404);
  expect((await shared.person.post("/en/account/billing/cancel", {})).status).toBe(404);
  expect((await stranger.post("/en/account/billing", { intent: "portal" })).status).toBe(404);
  const { person, webhooks } = await app.buy("pack");
  for (const webhook of webhooks) await app.deliver(webhook);
  const [order] = await app.sql<{ id: string }>("SELECT id FROM orders ORDER BY created_at DESC");
  const receipt = `/en/account/orders/${order?.id}`;
  expect((await person.fetch(receipt)).status).toBe(200);
  expect((await stranger.fetch(receipt)).status).toBe(404);
  expect((await person.fetch("/en/account/orders/none")).status).toBe(404);
  const [row] = await app.sql("SELECT cancel_at_period_end FROM subscriptions WHERE id = $1", [
    shared.subscriptionId,
  ]);
  expect(row).toEqual({ cancel_at_period_end: false });
});

test("a plan's payments are listed with their period, and only their owner has the receipts", async () => {
  const { person, subscriptionId } = await subscriber();
  const [payment] = await app.sql<{ id: string }>(
    "SELECT id FROM subscription_periods WHERE subscription_id = $1",
    [subscriptionId],
  );
  const receipt = `/en/account/payments/${payment?.id}`;
  const page = await (await person.fetch("/en/account/billing")).text();
  expect(page).toContain(`${sold.nameOf(sold.PLAN)}, a month`);
  expect(page).toContain(sold.shown(sold.PLAN.amounts.month));
  expect(page).toContain(receipt);
  expect(await (await person.fetch(receipt)).text()).toMatch(
    new RegExp(`${sold.shown(sold.PLAN.amounts.month).replaceAll("$", "\\$")}.*in_\\w+`, "s"),
  );
  const stranger = await signUp(app.url);
  for (const path of [receipt, "/en/account/payments/1"])
    expect((await stranger.fetch(path)).status).toBe(404);

  const path = `/payments/${await atStripe(subscriptionId)}/refund`;
  const webhooks = await app.hold(() => app.control("stripe", "POST", path, { amount: 300 }));
  for (const webhook of webhooks) await app.deliver(webhook);
  const refunded = await (await person.fetch("/en/account/billing")).text();
  expect(refunded).toContain(`Paid, ${sold.shown(300)} refunded`);
  const { subscriptionPayments } = await (await person.fetch("/en/account/export")).json();
  expect(subscriptionPayments).toMatchObject([
    {
      planKey: sold.PLAN.planKey,
      period: "month",
      amount: sold.PLAN.amounts.month,
      currency: CURRENCY,
      amountReturned: 300,
    },
  ]);
});

/** The subscription's id at Stripe. */
async function atStripe(subscriptionId: string): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    "SELECT provider_subscription_id AS id FROM subscriptions WHERE id = $1",
    [subscriptionId],
  );
  return row?.id ?? "";
}

test("a receipt says what was paid back, and which credits went with it", async () => {
  const { person, webhooks } = await app.buy("pack");
  for (const webhook of webhooks) await app.deliver(webhook);
  const [order] = await app.sql<{ id: string; payment: string }>(
    "SELECT id, provider_payment_id AS payment FROM orders ORDER BY created_at DESC",
  );
  const { amount, credits } = sold.MIDDLE_PACK;
  const half = Math.floor(amount / 2);
  const refunds = await app.hold(() =>
    app.control("stripe", "POST", `/payments/${order?.payment}/refund`, { amount: half }),
  );
  for (const webhook of refunds) await app.deliver(webhook);
  const page = await (await person.fetch(`/en/account/orders/${order?.id}`)).text();
  for (const text of [
    sold.shown(amount),
    sold.shown(half),
    "Credits taken back",
    `>${Math.floor((credits * half) / amount)}<`,
    "Refunded in part",
  ]) {
    expect([text, page.includes(text)]).toEqual([text, true]);
  }
});

test("forms may lead to the configured providers' pages, and nowhere else", async () => {
  const formAction = async (url: string) =>
    /form-action ([^;]*)/.exec(
      (await fetch(`${url}/en`)).headers.get("Content-Security-Policy") ?? "",
    )?.[1];
  const { PROVIDER_A_API_BASE: stripe, PROVIDER_B_API_BASE: creem } = app.env;
  expect(await formAction(app.url)).toBe(
    `'self' https://checkout.stripe.com https://billing.stripe.com ${stripe} https://creem.io https://*.creem.io ${creem}`,
  );
  const without = await another({ PROVIDER_A_SECRET_KEY: "", PROVIDER_B_API_KEY: "" });
  expect(await formAction(without.url)).toBe("'self'");
});
