import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import * as sold from "../../fixtures/sold";
import { type Person, signUp } from "../../helpers/client";
import { expectSoundLedger } from "../../helpers/ledger";
import { press } from "../../helpers/payments";
import { reconcile } from "../../helpers/reconciliation";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", {
  PROVIDER_A_PROMOTION_CODES: "true",
  PROVIDER_A_AUTOMATIC_TAX: "true",
  PROVIDER_A_INVOICES: "true",
});
const PACK = ["/api/payments/checkout", { skuKey: sold.MIDDLE_PACK.skuKey }] as const;
const PLAN = [
  "/api/payments/subscription/checkout",
  { planKey: sold.PLAN.planKey, period: "month" },
] as const;

interface Recorded {
  path: string;
  body: Record<string, unknown>;
}

const lastCheckout = async () => {
  const { body } = await app.control("stripe", "GET", "/requests");
  return (body as Recorded[]).filter(({ path }) => path === "/v1/checkout/sessions").at(-1)?.body;
};

/** Opens a checkout, enters the code there, pays, and delivers every event. */
async function buyWith(code: string | null, [path, item]: readonly [string, object], who?: Person) {
  const person = who ?? (await signUp(app.url));
  const webhooks = await app.hold(async () => {
    const { status, body } = await person.json("POST", path, item);
    expect(status).toBe(200);
    const url = String(body.url);
    if (code) expect((await press(url, { intent: "apply_code", code })).status).toBe(200);
    await press(url, { intent: "pay" });
  });
  for (const webhook of webhooks)
    expect(await app.deliver(webhook)).toMatchObject({ status: 200, body: { deduped: false } });
  return { person, types: webhooks.map(({ type }) => type) };
}

const ordersOf = (email: string) =>
  app.sql(
    `SELECT amount::float, currency, status, provider_payment_id IS NOT NULL AS paid_with
     FROM orders JOIN users ON users.id = user_id WHERE users.email = $1`,
    [email],
  );

const balanceOf = async (person: Person) =>
  (await person.json("GET", "/api/account/credits")).body.balance;

test("a pack's checkout asks for codes, tax, tax ids and an invoice; a plan's for no invoice", async () => {
  const person = await signUp(app.url);
  await person.json("POST", ...PACK);
  const all = {
    allow_promotion_codes: "true",
    automatic_tax: { enabled: "true" },
    tax_id_collection: { enabled: "true" },
  };
  const pack = await lastCheckout();
  expect(pack).toMatchObject({ ...all, invoice_creation: { enabled: "true" } });
  expect(pack).not.toHaveProperty("customer_update");
  await person.json("POST", ...PLAN);
  const plan = await lastCheckout();
  expect(plan).toMatchObject(all);
  expect(plan).not.toHaveProperty("invoice_creation");
});

test("a code of 100 % makes a paid order of 0.00 that grants, without a payment", async () => {
  const { person, types } = await buyWith("FREE", PACK);
  expect(types).toEqual([
    "checkout.session.completed",
    "invoice.paid",
    "invoice.payment_succeeded",
  ]);
  expect(await ordersOf(person.email)).toEqual([
    { amount: 0, currency: CURRENCY, status: "paid", paid_with: false },
  ]);
  expect(await balanceOf(person)).toBe(sold.MIDDLE_PACK.credits);
  const billing = await (await person.fetch("/en/account/billing")).text();
  expect(billing).toContain(sold.shown(0));
  const receipt = /href="(\/en\/account\/orders\/[^"]+)"/.exec(billing)?.[1] ?? "";
  expect(await (await person.fetch(receipt)).text()).toContain(sold.shown(0));
  await expectSoundLedger(app);
});

test("reconciliation finds a lost free checkout, and makes the same order of it", async () => {
  const person = await signUp(app.url);
  await app.hold(async () => {
    const { body } = await person.json("POST", ...PACK);
    await press(String(body.url), { intent: "apply_code", code: "FREE" });
    await press(String(body.url), { intent: "pay" });
  });
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  const userId = user?.id ?? "";
  const [found] = await reconcile(app, { apply: true, userId });
  expect(found).toMatchObject({
    says: `${sold.MIDDLE_PACK.credits} credits for ${sold.written(0)}: paid there, no order here`,
    applied: true,
  });
  expect(await ordersOf(person.email)).toMatchObject([{ amount: 0, status: "paid" }]);
  expect(await balanceOf(person)).toBe(sold.MIDDLE_PACK.credits);
  expect(await reconcile(app, { userId })).toEqual([]);
});

const half = (amount: number) => Math.round(amount / 2);
/** The stand-in's tax is a tenth on top. */
const withTax = (amount: number) => amount + Math.round(amount / 10);

test("a code of 50 % and the tax change the total; the pack's price before both is compared", async () => {
  const { person } = await buyWith("HALF", PACK);
  expect(await ordersOf(person.email)).toEqual([
    {
      amount: withTax(sold.MIDDLE_PACK.amount - half(sold.MIDDLE_PACK.amount)),
      currency: CURRENCY,
      status: "paid",
      paid_with: true,
    },
  ]);
  expect(await balanceOf(person)).toBe(sold.MIDDLE_PACK.credits);
});

test("an unknown code changes nothing", async () => {
  const person = await signUp(app.url);
  const { body } = await person.json("POST", ...PACK);
  const refused = await press(String(body.url), { intent: "apply_code", code: "NONE" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(sold.shown(withTax(sold.MIDDLE_PACK.amount)));
});

test("a plan that a code makes free grants its month, and its buyer stays the same customer", async () => {
  const { person } = await buyWith("FREE", PLAN);
  expect(await balanceOf(person)).toBe(sold.PLAN.creditsPerMonth);
  // Stripe refuses to calculate the tax of an existing customer without customer_update.
  await buyWith(null, PACK, person);
  expect(await lastCheckout()).toMatchObject({
    customer: expect.stringMatching(/^cus_/),
    customer_update: { name: "auto", address: "auto" },
  });
  expect(await balanceOf(person)).toBe(sold.PLAN.creditsPerMonth + sold.MIDDLE_PACK.credits);
});
