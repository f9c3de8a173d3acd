import { expect, test } from "vitest";
import { PACK, TOP_YEARLY } from "../../fixtures/sold";
import { startPayments } from "../../helpers/payments";

const METADATA = "[metadata][user_id]";

const SESSION: Record<string, string> = {
  mode: "payment",
  "allowed_payment_method_types[0]": "card",
  "line_items[0][price]": `price_sandbox_${PACK.skuKey}`,
  "line_items[0][quantity]": "1",
  client_reference_id: "user",
  "metadata[user_id]": "user",
  [`payment_intent_data${METADATA}`]: "user",
  customer_email: "buyer@example.com",
  success_url: "http://localhost/success",
  cancel_url: "http://localhost/cancelled",
};

const CHECKOUT = {
  product_id: `prod_sandbox_${PACK.skuKey}`,
  request_id: "request-1",
  units: 1,
  customer: { email: "buyer@example.com" },
  success_url: "http://localhost/success",
  metadata: { user_id: "user" },
};

/** Sends requests that no SDK would send. */
async function startApis() {
  const { env } = await startPayments();
  const { stripe, creem } = env.payments;
  return {
    async stripe(path: string, fields: Record<string, string>, headers: HeadersInit = {}) {
      const response = await fetch(`${stripe.apiBase}/v1${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${stripe.secretKey}`, ...headers },
        body: new URLSearchParams(fields),
      });
      const { error } = (await response.json()) as { error?: Record<string, unknown> };
      return { status: response.status, headers: response.headers, ...error };
    },
    async creem(path: string, body: unknown, headers: HeadersInit = {}) {
      const response = await fetch(`${creem.apiBase}/v1${path}`, {
        method: "POST",
        headers: {
          "x-api-key": creem.apiKey ?? "",
          "Content-Type": "application/json",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

function without<T extends object>(record: T, ...keys: string[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => !keys.includes(key)),
  ) as Partial<T>;
}

test("Stripe's sandbox refuses tax for a known customer whom the checkout may not update", async () => {
  const { env } = await startPayments();
  const { apiBase, secretKey } = env.payments.stripe;
  const post = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${apiBase}/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secretKey}` },
      body: new URLSearchParams(fields),
    });
    const body = (await response.json()) as { id?: string; error?: { param?: string } };
    return { status: response.status, id: body.id, param: body.error?.param };
  };
  const { id: customer = "" } = await post("/customers", { email: "buyer@example.com" });
  const known = { ...without(SESSION, "customer_email"), customer } as Record<string, string>;
  const tax = { "automatic_tax[enabled]": "true" };
  const ids = { "tax_id_collection[enabled]": "true" };
  const name = { "customer_update[name]": "auto" };
  const address = { "customer_update[address]": "auto" };
  const sessions = "/checkout/sessions";
  expect(await post(sessions, { ...known, ...tax, ...name })).toMatchObject({
    status: 400,
    param: "automatic_tax",
  });
  expect(await post(sessions, { ...known, ...ids, ...address })).toMatchObject({
    status: 400,
    param: "customer_update[name]",
  });
  expect(await post(sessions, { ...SESSION, ...tax, ...ids, ...name })).toMatchObject({
    status: 400,
    param: "customer_update",
  });
  const complete = { ...known, ...tax, ...ids, ...name, ...address };
  expect(await post(sessions, complete)).toMatchObject({ status: 200 });
});

test("Stripe's sandbox takes a complete session, and refuses one that lacks any parameter", async () => {
  const { stripe } = await startApis();
  expect(await stripe("/checkout/sessions", SESSION)).toMatchObject({ status: 200 });
  const parts: Record<string, string[]> = {
    ...Object.fromEntries(Object.keys(SESSION).map((name) => [name, [name]])),
    line_items: ["line_items[0][price]", "line_items[0][quantity]"],
  };
  for (const [name, fields] of Object.entries(parts)) {
    const refused = await stripe(
      "/checkout/sessions",
      without(SESSION, ...fields) as typeof SESSION,
    );
    expect(refused, name).toMatchObject({ status: 400, type: "invalid_request_error" });
  }
  expect(
    await stripe("/checkout/sessions", without(SESSION, "success_url") as typeof SESSION),
  ).toMatchObject({
    code: "parameter_missing",
    param: "success_url",
    message: "Missing required param: success_url.",
  });
  expect(
    await stripe("/checkout/sessions", without(SESSION, "line_items[0][price]") as typeof SESSION),
  ).toMatchObject({ code: "parameter_missing", param: "line_items[0][price]" });
});

test("Stripe's sandbox refuses unknown parameters, the one that 2026-09-30 removed among them", async () => {
  const { stripe } = await startApis();
  for (const extra of [
    "payment_method_types[0]",
    "subscription_data[metadata][user_id]",
    "nonsense",
  ])
    expect(await stripe("/checkout/sessions", { ...SESSION, [extra]: "card" })).toMatchObject({
      status: 400,
      code: "parameter_unknown",
    });
  const nested = { ...SESSION, "line_items[0][adjustable_quantity][enabled]": "true" };
  expect(await stripe("/checkout/sessions", nested)).toMatchObject({
    code: "parameter_unknown",
    param: "line_items[0][adjustable_quantity]",
  });
});

test("Stripe's sandbox checks what parameters mean", async () => {
  const { stripe } = await startApis();
  const session = (changes: Record<string, string>) =>
    stripe("/checkout/sessions", { ...SESSION, ...changes });
  const price = "line_items[0][price]";
  expect(await session({ [price]: `prod_sandbox_${PACK.skuKey}` })).toMatchObject({
    status: 400,
    code: "resource_missing",
    param: price,
  });
  expect(await session({ [price]: `price_sandbox_${TOP_YEARLY}` })).toMatchObject({
    status: 400,
    message: "You specified `payment` mode but passed a recurring price.",
  });
  expect(await session({ customer: "cus_1" })).toMatchObject({ param: "customer" });
  expect(await session({ success_url: "javascript:alert(1)" })).toMatchObject({
    param: "success_url",
  });
  expect(await stripe("/subscriptions/sub_1", { cancel_at_period_end: "maybe" })).toMatchObject({
    status: 400,
  });
  expect(await stripe("/subscriptions/sub_1", { cancel_at_period_end: "true" })).toMatchObject({
    status: 404,
    code: "resource_missing",
  });
  expect(await stripe("/subscription_schedules/sub_sched_1/release", {})).toMatchObject({
    status: 404,
  });
  expect(await stripe("/subscription_schedules/sub_sched_1/release", { now: "1" })).toMatchObject({
    param: "now",
  });
  const portal = "/billing_portal/configurations";
  expect(await stripe(portal, { "features[subscription_pause][enabled]": "true" })).toMatchObject({
    status: 400,
  });
  expect(await stripe(`${portal}/bpc_1`, {})).toMatchObject({ status: 404 });
  expect(await stripe("/coupons", {})).toMatchObject({ status: 404 });
});

test("Stripe's sandbox wants its key, a form, and takes any API version", async () => {
  const { stripe } = await startApis();
  const session = (headers: HeadersInit) => stripe("/checkout/sessions", SESSION, headers);
  expect(await session({ Authorization: "Bearer sk_test_other" })).toMatchObject({ status: 401 });
  expect(await session({ Authorization: "" })).toMatchObject({ status: 401 });
  expect(await session({ "Content-Type": "application/json" })).toMatchObject({ status: 400 });
  expect(await session({ "Stripe-Version": "2024-12-18.acacia" })).toMatchObject({ status: 200 });
  expect(await session({ "Stripe-Version": "newest" })).toMatchObject({ status: 400 });
});

test("Stripe's sandbox replays under a key, refuses other parameters, and keeps no refusal", async () => {
  const { stripe } = await startApis();
  const key = { "Idempotency-Key": "key-1" };
  const faulty = { ...SESSION, nonsense: "1" };
  expect(await stripe("/checkout/sessions", faulty, key)).toMatchObject({ status: 400 });
  const first = await stripe("/checkout/sessions", SESSION, key);
  expect([first.status, first.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
  const again = await stripe("/checkout/sessions", SESSION, key);
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
  const other = { ...SESSION, client_reference_id: "other" };
  expect(await stripe("/checkout/sessions", other, key)).toMatchObject({
    status: 400,
    type: "idempotency_error",
  });
  const long = { "Idempotency-Key": "k".repeat(256) };
  expect(await stripe("/checkout/sessions", SESSION, long)).toMatchObject({ status: 400 });
});

test("Creem's sandbox takes a complete checkout, and refuses one that lacks or adds anything", async () => {
  const { creem } = await startApis();
  expect(await creem("/checkouts", CHECKOUT)).toMatchObject({ status: 200 });
  for (const name of Object.keys(CHECKOUT))
    expect(await creem("/checkouts", without(CHECKOUT, name)), name).toMatchObject({
      status: 400,
      body: { status: 400, error: "Bad Request", message: [expect.stringContaining(name)] },
    });
  expect(await creem("/checkouts", { ...CHECKOUT, cancel_url: "http://localhost" })).toMatchObject({
    status: 400,
    body: { trace_id: expect.any(String), message: ["property cancel_url should not exist"] },
  });
});

test("Creem's sandbox checks what a body means", async () => {
  const { creem } = await startApis();
  const checkout = (changes: object) => creem("/checkouts", { ...CHECKOUT, ...changes });
  expect(await checkout({ product_id: "price_1" })).toMatchObject({ status: 400 });
  expect(await checkout({ product_id: "prod_gone" })).toMatchObject({ status: 404 });
  expect(await checkout({ customer: { id: "cust_1", email: "a@example.com" } })).toMatchObject({
    status: 400,
  });
  expect(await checkout({ success_url: "http://localhost/success?a=1" })).toMatchObject({
    status: 400,
  });
  expect(await creem("/checkouts", "{")).toMatchObject({ status: 400 });
  expect(await creem("/checkouts", CHECKOUT, { "x-api-key": "creem_test_other" })).toMatchObject({
    status: 401,
    body: { error: "Unauthorized" },
  });
  const cancel = "/subscriptions/sub_1/cancel";
  expect(await creem(cancel, { mode: "scheduled" })).toMatchObject({ status: 400 });
  expect(await creem(cancel, { mode: "immediate", onExecute: "cancel" })).toMatchObject({
    status: 400,
  });
  for (const body of [{ mode: "scheduled", onExecute: "cancel" }, { mode: "immediate" }])
    expect(await creem(cancel, body)).toMatchObject({ status: 404 });
});
