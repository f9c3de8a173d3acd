import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { expect, inject, test } from "vitest";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import {
  STRIPE_EVENT_TYPES,
  STRIPE_TOP_UP_EVENT_TYPES,
} from "~/services/payments/stripe/stripe-inspection.server";
import { freePort } from "../../../scripts/lib/free-port";
import type { Check } from "../../../scripts/preflight/check";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkPaymentsOnline } from "../../../scripts/preflight/online/payments-online";
import { checkStorageOnline } from "../../../scripts/preflight/online/storage-online";
import { REQUIRED, type Source } from "../../fixtures/preflight";
import {
  LAST_PACK,
  PACK,
  PLAN,
  PLAN_MONTHLY,
  PLAN_YEARLY,
  priceVariable,
  productVariable,
  TOP_PLAN,
  TOP_YEARLY,
  written,
} from "../../fixtures/sold";
import { listenLocally } from "../../helpers/local-server";
import { startPayments } from "../../helpers/payments";

const SITE = "http://localhost:3000";

const byId = (checks: Check[]) =>
  Object.fromEntries(checks.map(({ id, ...check }) => [id.replace("online.", ""), check]));

async function askProvider(source: Source) {
  const configuration = readConfiguration({ ...REQUIRED, NEXT_PUBLIC_SITE_URL: SITE, ...source });
  allowAddressesOf(configuration.env);
  return byId(await checkPaymentsOnline(configuration));
}

/** A sandbox whose endpoint is the site's, and a check of it with a changed configuration. */
async function startProvider() {
  const { sandbox, control } = await startPayments();
  await control("stripe", "PUT", "/endpoint", { url: `${SITE}/api/payments/webhook` });
  return { control, ask: (change: Source = {}) => askProvider({ ...sandbox.env, ...change }) };
}

const statuses = (checks: Record<string, Pick<Check, "status">>) =>
  Object.values(checks).map(({ status }) => status);

test("a provider that matches the configuration passes, and is only read", async () => {
  const { ask, control } = await startProvider();
  expect(statuses(await ask())).toEqual(["pass", "pass", "pass", "pass", "skip"]);
  const taxed = await ask({ PROVIDER_A_AUTOMATIC_TAX: "true" });
  expect(statuses(taxed)).toEqual(["pass", "pass", "pass", "pass", "pass"]);
  const creem = await ask({ PAYMENTS_PROVIDER: "creem", PROVIDER_A_AUTOMATIC_TAX: "true" });
  expect(statuses(creem)).toEqual(["pass", "pass", "skip", "skip", "skip"]);
  for (const provider of ["stripe", "creem"] as const) {
    const { body } = await control(provider, "GET", "/requests");
    const methods = (body as { method: string }[]).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  }
});

test("a price with a wrong amount, a wrong interval or none is named with its actual values", async () => {
  const { ask, control } = await startProvider();
  const amount = PLAN.amounts.month + 1;
  await control("stripe", "PUT", "/prices/price_dearer", { amount, interval: "month" });
  const stripe = await ask({
    [priceVariable(PLAN_MONTHLY)]: "price_dearer",
    [priceVariable(TOP_YEARLY)]: `price_sandbox_${PACK.skuKey}`,
    [priceVariable(LAST_PACK.skuKey)]: "price_gone",
  });
  expect(stripe["payments-prices"]).toMatchObject({
    status: "fail",
    message: [
      `${PLAN_MONTHLY} (price_dearer) is ${written(amount)} per month, and the catalog says ${written(PLAN.amounts.month)} per month`,
      `${TOP_YEARLY} (price_sandbox_${PACK.skuKey}) is ${written(PACK.amount)} once, and the catalog says ${written(TOP_PLAN.amounts.year)} per year`,
      `${LAST_PACK.skuKey} (price_gone) does not exist there, or is in the other mode`,
    ].join("; "),
  });
  const creem = await ask({
    PAYMENTS_PROVIDER: "creem",
    [productVariable(PACK.skuKey)]: `prod_sandbox_${PLAN_YEARLY}`,
    [productVariable(LAST_PACK.skuKey)]: "prod_gone",
  });
  expect(creem["payments-prices"]?.message).toBe(
    [
      `${PACK.skuKey} (prod_sandbox_${PLAN_YEARLY}) is ${written(PLAN.amounts.year)} per year, and the catalog says ${written(PACK.amount)} once`,
      `${LAST_PACK.skuKey} (prod_gone) does not exist there, or is in the other mode`,
    ].join("; "),
  );
});

test("automatic tax without an active Stripe Tax fails", async () => {
  const { ask, control } = await startProvider();
  await control("stripe", "PUT", "/tax", { status: "pending" });
  expect((await ask({ PROVIDER_A_AUTOMATIC_TAX: "true" }))["payments-tax"]).toMatchObject({
    status: "fail",
    message: expect.stringContaining("every checkout is refused"),
  });
});

test("a key that the provider refuses fails once, and not at every price", async () => {
  const { ask, control } = await startProvider();
  for (const [provider, change] of [
    ["stripe", { PROVIDER_A_SECRET_KEY: "sk_test_sandbox_other" }],
    ["creem", { PAYMENTS_PROVIDER: "B", PROVIDER_B_API_KEY: "creem_test_sandbox_other" }],
  ] as const) {
    const checks = await ask(change);
    expect(checks["payments-key"]).toMatchObject({
      status: "fail",
      message: expect.stringMatching(/^the provider refuses the key: .*status 401/),
    });
    expect(statuses(checks)).toEqual(["fail", "skip", "skip", "skip", "skip"]);
    const { body } = await control(provider, "GET", "/requests");
    expect((body as unknown[]).length).toBeLessThanOrEqual(3);
  }
});

test("a provider that cannot be reached fails by its address, not by its key", async () => {
  const { ask } = await startProvider();
  const checks = await ask({ PROVIDER_A_API_BASE: "http://127.0.0.1:1" });
  expect(checks["payments-key"]).toMatchObject({
    status: "fail",
    message: expect.stringMatching(/^the provider did not respond as expected: /),
  });
});

test("an endpoint that is not registered, or not for every event, fails", async () => {
  const { ask, control } = await startProvider();
  expect(
    (await ask({ NEXT_PUBLIC_SITE_URL: "http://localhost:3001" }))["payments-webhook"],
  ).toMatchObject({
    status: "fail",
    message: expect.stringContaining(
      "http://localhost:3001/api/payments/webhook is not registered",
    ),
  });
  const missing = ["charge.refunded", ...STRIPE_TOP_UP_EVENT_TYPES];
  const events = STRIPE_EVENT_TYPES.filter((type) => type !== "charge.refunded");
  await control("stripe", "PUT", "/enabled-events", { events });
  expect((await ask())["payments-webhook"]).toMatchObject({
    status: "fail",
    message: `the endpoint ${SITE}/api/payments/webhook is not sent ${missing.join(", ")}`,
  });
  await control("stripe", "PUT", "/enabled-events", { events: STRIPE_EVENT_TYPES });
  // Events of automatic top-up are wanted only where it is offered.
  expect((await ask())["payments-webhook"]).toMatchObject({ status: "fail" });
  for (const source of [{ PROVIDER_A_TOP_UP: "false" }, { PROVIDER_A_AUTOMATIC_TAX: "true" }])
    expect((await ask(source))["payments-webhook"]).toMatchObject({ status: "pass" });
});

test("the sandboxes refuse requests that differ from an operator's check", async () => {
  const { stripe, creem } = (await startPayments()).env.payments;
  const statusOf = async (url: string, headers: HeadersInit) =>
    (await fetch(url, { headers })).status;
  const bearer = { Authorization: `Bearer ${stripe.secretKey}` };
  const price = `${stripe.apiBase}/v1/prices/price_sandbox_${TOP_YEARLY}`;
  expect(await statusOf(price, bearer)).toBe(200);
  expect(await statusOf(`${price}?nonsense=1`, bearer)).toBe(400);
  expect(await statusOf(`${stripe.apiBase}/v1/webhook_endpoints?limit=0`, bearer)).toBe(400);
  const key = { "x-api-key": creem.apiKey ?? "" };
  expect(await statusOf(`${creem.apiBase}/v1/products`, key)).toBe(400);
  expect(await statusOf(`${creem.apiBase}/v1/products?product_id=prod_gone`, key)).toBe(404);
});

test("the required event types are exactly those that the adapter reads", () => {
  const source = readFileSync("app/services/payments/stripe/stripe-delivery.ts", "utf8");
  const read = [...source.matchAll(/case "([\w.]+)":/g)].map(([, type]) => type);
  expect(read.sort()).toEqual([...STRIPE_EVENT_TYPES, ...STRIPE_TOP_UP_EVENT_TYPES].sort());
});

async function askStore(change: Source = {}) {
  const source = { ...REQUIRED, NEXT_PUBLIC_SITE_URL: SITE, ...inject("s3Env"), ...change };
  const configuration = readConfiguration(source);
  allowAddressesOf(configuration.env);
  return byId(await checkStorageOnline(configuration));
}

test("a bucket is written, read and cleared; one that anybody can read fails for private files", async () => {
  const { S3_ENDPOINT, S3_BUCKET_NAME } = inject("s3Env");
  const base = `${S3_ENDPOINT}/${S3_BUCKET_NAME}`;
  const checks = await askStore({ S3_PUBLIC_URL: base });
  expect(Object.entries(checks).map(([id, { status }]) => `${id} ${status}`)).toEqual([
    "storage-upload pass",
    "storage-cors pass",
    "storage-download pass",
    "storage-public pass",
    // The local server lets anybody read, which a store for real files must not do.
    "storage-private fail",
    "storage-delete pass",
  ]);
  const left = await (await fetch(`${base}?prefix=preflight/`)).text();
  expect(left).not.toContain("<Key>preflight/");
});

test("a missing bucket and an unreachable store fail, and dependent checks are skipped", async () => {
  const gone = await askStore({ S3_BUCKET_NAME: "no-such-bucket" });
  expect(gone["storage-upload"]?.message).toContain(
    "refuses a presigned PUT: status 404 NoSuchBucket",
  );
  expect(statuses(gone)).toEqual(["fail", "fail", "skip", "skip", "skip", "skip"]);
  const silent = await askStore({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
  expect(silent["storage-upload"]).toMatchObject({
    status: "fail",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a store without CORS, and one that keeps private files private", async () => {
  const server = createServer((request, response) => {
    const isSigned = request.url?.includes("X-Amz-Signature");
    response.statusCode = request.method === "OPTIONS" || !isSigned ? 403 : 200;
    response.end("preflight\n");
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  const checks = await askStore({ S3_ENDPOINT: url, S3_PUBLIC_URL: `${url}/public` });
  expect(checks["storage-cors"]).toMatchObject({
    status: "fail",
    message:
      "bucket sandbox does not let browsers on http://localhost:3000 PUT with a Content-Type (status 403)",
  });
  expect(checks["storage-private"]).toMatchObject({ status: "pass" });
  expect(checks["storage-public"]).toMatchObject({ status: "fail" });
});
