import { expect, test } from "vitest";
import { translatorFor } from "~/i18n/messages.server";
import { OTHER_LOCALE } from "../../fixtures/languages";
import * as sold from "../../fixtures/sold";
import { createClient, signUp } from "../../helpers/client";
import { press } from "../../helpers/payments";
import { altered, type WebhookBody } from "../../helpers/signed-webhook";
import {
  ofType,
  type PaymentServerUnderTest,
  withPaymentServer,
} from "../../helpers/with-payment-server";

const MAIL = { SMTP_URL: "smtp://127.0.0.1:9", EMAIL_FROM: "Credits <credits@example.com>" };
const stripe = withPaymentServer("stripe", MAIL);
const creem = withPaymentServer("creem", MAIL);
const APPS = { stripe, creem };
const BOTH = ["stripe", "creem"] as const;

const verify = (app: PaymentServerUnderTest, email: string) =>
  app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);

async function verifiedPerson(app: PaymentServerUnderTest) {
  const person = await signUp(app.url);
  await verify(app, person.email);
  return person;
}

/** Pays for the item at the provider; deliveries are held back. */
async function buy(app: PaymentServerUnderTest, item: "pack" | "plan") {
  const person = await verifiedPerson(app);
  const webhooks = await app.hold(async () => {
    const { body } =
      item === "pack"
        ? await person.json("POST", "/api/payments/checkout", { skuKey: sold.MIDDLE_PACK.skuKey })
        : await person.json("POST", "/api/payments/subscription/checkout", {
            planKey: sold.PLAN.planKey,
            period: "month",
          });
    await press(String(body.url), { intent: "pay" });
  });
  return { person, webhooks };
}

const balanceOf = async (app: PaymentServerUnderTest, email: string) =>
  (
    await app.sql<{ balance: number }>(
      "SELECT coalesce(max(balance), 0)::int AS balance FROM credit_accounts a JOIN users u ON u.id = a.user_id WHERE email = $1",
      [email],
    )
  )[0]?.balance;

/** Applies these changes to the object of a checkout's event, wherever the provider keeps it. */
const withCheckout =
  (change: (object: Record<string, unknown>) => object) =>
  (body: WebhookBody): WebhookBody => {
    const holder = (body.data ?? body) as { object: Record<string, unknown> };
    const object = { ...holder.object, ...change(holder.object) };
    return body.data ? { ...body, data: { object } } : { ...body, object };
  };

const CHECKOUT = { stripe: "checkout.session.completed", creem: "checkout.completed" };
const order = (object: Record<string, unknown>) => object.order as object;

test.each([
  [
    "stripe",
    "a lower price",
    () => ({ amount_subtotal: 100, amount_total: 100 }),
    sold.written(100),
  ],
  [
    "stripe",
    "a lower total and no subtotal",
    () => ({ amount_subtotal: null, amount_total: 100 }),
    sold.written(100),
  ],
  [
    "creem",
    "a lower price",
    (object: Record<string, unknown>) => ({
      order: { ...order(object), amount: 100, sub_total: 100 },
    }),
    sold.written(100),
  ],
  ["creem", "another product", () => ({ product: { id: "prod_cheap" } }), "prod_cheap"],
] as const)(
  "%s: a pack sold for %s grants nothing and is kept",
  async (name, _what, change, got) => {
    const app = APPS[name];
    const { person, webhooks } = await buy(app, "pack");
    const webhook = altered(app, ofType(webhooks, CHECKOUT[name]), withCheckout(change));
    expect(await app.deliver(webhook)).toMatchObject({ status: 500 });
    expect(await balanceOf(app, person.email)).toBe(0);
    const [kept] = await app.sql<{ last_error: string; status: string }>(
      "SELECT last_error, status FROM webhook_inbox ORDER BY received_at DESC LIMIT 1",
    );
    expect(kept?.status).toBe("failed");
    expect(kept?.last_error).toMatch(
      new RegExp(`^checkout c[sh]_\\S+ is malformed: ${sold.MIDDLE_PACK.skuKey} `),
    );
    expect(kept?.last_error).toContain(got);
  },
);

test.each([
  ["stripe", "paid with a discount", () => ({ amount_total: 900 })],
  ["stripe", "sold in another currency", () => ({ currency: "vnd" })],
  [
    "creem",
    "paid with a discount",
    (object: Record<string, unknown>) => ({
      order: {
        ...order(object),
        amount: sold.MIDDLE_PACK.amount - 1000,
        sub_total: null,
        discount_amount: 1000,
      },
    }),
  ],
] as const)("%s: a pack %s grants its credits", async (name, _what, change) => {
  const app = APPS[name];
  const { person, webhooks } = await buy(app, "pack");
  const webhook = altered(app, ofType(webhooks, CHECKOUT[name]), withCheckout(change));
  expect(await app.deliver(webhook)).toMatchObject({ status: 200 });
  expect(await balanceOf(app, person.email)).toBe(sold.MIDDLE_PACK.credits);
});

test("the delivery's last error doesn't quote the refused order's row", async () => {
  const { webhooks } = await buy(stripe, "pack");
  await stripe.sql("ALTER TABLE orders ADD CONSTRAINT none CHECK (false) NOT VALID");
  await stripe.deliver(ofType(webhooks, CHECKOUT.stripe));
  await stripe.sql("ALTER TABLE orders DROP CONSTRAINT none");
  const [kept] = await stripe.sql<{ last_error: string }>(
    "SELECT last_error FROM webhook_inbox ORDER BY received_at DESC LIMIT 1",
  );
  expect(kept?.last_error).toBe('new row for relation "orders" violates check constraint "none"');
});

/** Two subscribers whom the provider treats as one customer. */
async function twoWithOneCustomer(app: PaymentServerUnderTest) {
  const first = await buy(app, "plan");
  const second = await buy(app, "plan");
  for (const webhook of first.webhooks) await app.deliver(webhook);
  const [row] = await app.sql<{ customer: string }>(
    "SELECT provider_customer_id AS customer FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1",
    [first.person.email],
  );
  const customer = row?.customer ?? "";
  const before = app.server.logs.length;
  for (const webhook of second.webhooks) {
    const theirs = new RegExp(app.provider === "stripe" ? "cus_\\w+" : "cust_\\w+", "g");
    const taken = altered(
      app,
      webhook,
      (body) => JSON.parse(JSON.stringify(body).replace(theirs, customer)) as WebhookBody,
    );
    expect(await app.deliver(taken)).toMatchObject({ status: 200 });
  }
  return { first: first.person, second: second.person, customer, before };
}

test.each(BOTH)(
  "%s: with another account's customer the payer gets the credits, no portal opens, and it is logged",
  async (name) => {
    const app = APPS[name];
    const { first, second, customer, before } = await twoWithOneCustomer(app);
    expect(await balanceOf(app, second.email)).toBe(sold.PLAN.creditsPerMonth);
    const told = (await app.server.allLogs())
      .slice(before)
      .filter(({ level, customerId }) => Number(level) >= 50 && customerId === customer);
    expect(told.length).toBeGreaterThan(0);
    for (const person of [first, second]) {
      const response = await person.json("POST", "/api/payments/portal");
      expect(response).toMatchObject({ status: 409, body: { code: "customer_conflict" } });
      const page = await person.post("/en/account/billing", { intent: "portal" });
      expect(page.status).toBe(409);
      expect(await page.text()).toContain("Your account and another one share a customer record");
    }
  },
);

test("the next account with a deleted account's address doesn't get its customer", async () => {
  const { first, second } = await twoWithOneCustomer(creem);
  await creem.sql(
    "UPDATE users SET email = 'deleted-' || id || '@deleted.invalid', password_hash = NULL WHERE email = $1",
    [first.email],
  );
  expect(await second.json("POST", "/api/payments/portal")).toMatchObject({ status: 409 });
});

test.each(BOTH)("%s: a shared customer is not passed on to the next checkout", async (name) => {
  const app = APPS[name];
  const { second } = await twoWithOneCustomer(app);
  await second.json("POST", "/api/payments/checkout", { skuKey: sold.PACK.skuKey });
  const { body } = await app.control(name, "GET", "/requests");
  const requests = body as { path: string; body: Record<string, unknown> }[];
  const last = requests.findLast(({ path }) => /checkout/.test(path));
  expect(JSON.stringify(last?.body)).toContain(second.email);
});

const VERIFY_FIRST = translatorFor(OTHER_LOCALE)("billing.manageVerify");
const UNVERIFIED = { status: 403, body: { code: "email_unverified" } };
const PACK = { skuKey: sold.PACK.skuKey };
const PLAN = { planKey: sold.PLAN.planKey, period: "month" };

test("at Creem an unverified address buys nothing, and after it is verified it does", async () => {
  const person = await signUp(creem.url);
  const attempts = [
    ["/api/payments/checkout", PACK],
    ["/api/payments/subscription/checkout", PLAN],
  ] as const;
  for (const [path, body] of attempts)
    expect(await person.json("POST", path, body)).toMatchObject(UNVERIFIED);
  const page = await person.post("/en/pricing", { intent: "pack", ...PACK });
  expect(page.status).toBe(403);
  const text = await page.text();
  expect(text).toContain("Verify your email address first.");
  expect(text).toContain('href="/en/account/profile"');

  await verify(creem, person.email);
  for (const [path, body] of attempts)
    expect(await person.json("POST", path, body)).toMatchObject({ status: 200 });
});

test("at Stripe an unverified address may buy", async () => {
  const person = await signUp(stripe.url);
  expect(await person.json("POST", "/api/payments/checkout", PACK)).toMatchObject({ status: 200 });
});

test.each([
  ["stripe", { status: 200 }, 303],
  ["creem", UNVERIFIED, 403],
] as const)(
  "%s: a subscriber whose address isn't verified asks for the portal, and gets %o",
  async (name, response, ofPage) => {
    const app = APPS[name];
    const { person, webhooks } = await buy(app, "plan");
    for (const webhook of webhooks) await app.deliver(webhook);
    await app.sql("UPDATE users SET email_verified_at = NULL WHERE email = $1", [person.email]);
    const path = `/${OTHER_LOCALE}/account/billing`;
    const asksFirst = (await (await person.fetch(path)).text()).includes(VERIFY_FIRST);
    expect(asksFirst).toBe(name === "creem");
    expect(await person.json("POST", "/api/payments/portal")).toMatchObject(response);
    const page = await person.post(path, { intent: "portal" });
    expect(page.status).toBe(ofPage);
    if (name === "creem")
      expect(await page.text()).toContain(`href="/${OTHER_LOCALE}/account/profile"`);
  },
);

test("while email is off, unverified users may buy", async () => {
  const server = await creem.startAnother({ SMTP_URL: "", EMAIL_FROM: "" });
  const person = await signUp(server.url);
  expect(await person.json("POST", "/api/payments/checkout", PACK)).toMatchObject({ status: 200 });
  expect(await person.json("POST", "/api/payments/portal")).toMatchObject({ status: 404 });
  await server.stop();
});

test("a signed-out visitor gets a 401 before any check of the address", async () => {
  const { status } = await createClient(creem.url).json("POST", "/api/payments/portal");
  expect(status).toBe(401);
});
