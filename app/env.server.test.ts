import { expect, test } from "vitest";
import { legacy, parse, S3, type Source, sandbox } from "#tests/fixtures/env";
import {
  PACK,
  PLAN_MONTHLY,
  priceAlias,
  priceVariable,
  productAlias,
  productVariable,
  TOP_YEARLY,
} from "#tests/fixtures/sold";
import { ConfigurationError, isLocalHost, listVariables } from "~/env.server";

function errorOf(source: Source): ConfigurationError | undefined {
  try {
    parse(source);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

function faultsOf(source: Source): string[] {
  return errorOf(source)?.faults ?? [];
}

test.each<[string, Source, RegExp]>([
  ["no database", { DATABASE_URL: undefined }, /^DATABASE_URL is not set: write/],
  ["a blank secret", { AUTH_SECRET: "  " }, /^AUTH_SECRET is not set: make/],
  ["no site", { NEXT_PUBLIC_SITE_URL: "" }, /^NEXT_PUBLIC_SITE_URL is not set: write/],
  ["a MySQL URL", { DATABASE_URL: "mysql://h/d" }, /^DATABASE_URL .*postgres:\/\//],
  ["no URL", { DATABASE_URL: "db" }, /^DATABASE_URL /],
  ["an unencoded #", { DATABASE_URL: "postgres://u:p#w@h:1/d" }, /percent-encode/],
  ["a quoted URL", { DATABASE_URL: '"postgres://h/d"' }, /no quotes/],
  ["a line break", { DATABASE_URL: "postgres://h\n/d" }, /^DATABASE_URL /],
  ["31 characters", { AUTH_SECRET: "a".repeat(31) }, /^AUTH_SECRET .*32/],
  ["a site's path", { NEXT_PUBLIC_SITE_URL: "https://e.com/en" }, /no path/],
  ["a site's query", { NEXT_PUBLIC_SITE_URL: "https://e.com/?a=1" }, /no path/],
  ["a site's user", { NEXT_PUBLIC_SITE_URL: "https://u@e.com" }, /^NEXT_PUBLIC_SITE_URL /],
  ["a bare host", { NEXT_PUBLIC_SITE_URL: "example.com" }, /^NEXT_PUBLIC_SITE_URL /],
  ["an ftp site", { NEXT_PUBLIC_SITE_URL: "ftp://e.com" }, /^NEXT_PUBLIC_SITE_URL /],
  ["NODE_ENV", { NODE_ENV: "staging" }, /^NODE_ENV must be one of/],
  ["a port over 65535", { PORT: "65536" }, /^PORT .*0 to 65535/],
  ["a fractional port", { PORT: "30.5" }, /^PORT /],
  ["a log level", { LOG_LEVEL: "loud" }, /^LOG_LEVEL must be one of trace/],
  ["an inherited name", { LOG_LEVEL: "constructor" }, /^LOG_LEVEL must be one of/],
  ["negative hops", { TRUST_PROXY: "-1" }, /^TRUST_PROXY /],
  ["hops as a word", { TRUST_PROXY: "true" }, /^TRUST_PROXY .*whole number/],
  ["no limit at all", { RATE_LIMIT_SCALE: "0" }, /^RATE_LIMIT_SCALE .*above 0/],
  ["an infinite limit", { RATE_LIMIT_SCALE: "Infinity" }, /^RATE_LIMIT_SCALE /],
  ["negative credits", { SIGNUP_CREDITS: "-5" }, /^SIGNUP_CREDITS /],
  ["credits over 32 bits", { SIGNUP_CREDITS: "2147483648" }, /^SIGNUP_CREDITS /],
  ["a lifetime of 0", { GENERATION_TTL: "0" }, /^GENERATION_TTL .*from 1/],
  ["a URL over 7 days", { DOWNLOAD_URL_TTL: "604801" }, /^DOWNLOAD_URL_TTL .*604800/],
  ["hexadecimal", { WEBHOOK_LEASE_TTL: "0x10" }, /^WEBHOOK_LEASE_TTL /],
  ["a flag", { NEXT_PUBLIC_ENABLE_PAYMENTS: "yes" }, /^NEXT_PUBLIC_ENABLE_PAYMENTS must be/],
  ["path style", { S3_FORCE_PATH_STYLE: "on" }, /^S3_FORCE_PATH_STYLE must be/],
  ["the store's kind", { STORAGE_PROVIDER: "gcs" }, /^STORAGE_PROVIDER .*s3, r2, minio/],
  ["an endpoint without scheme", { ...S3, S3_ENDPOINT: "s3.example.com" }, /^S3_ENDPOINT /],
  ["a bucket as a path", { ...S3, S3_BUCKET_NAME: "a/b" }, /^S3_BUCKET_NAME /],
  ["a payment provider", { PAYMENTS_PROVIDER: "paypal" }, /^PAYMENTS_PROVIDER must be one of/],
  ["an image provider", { IMAGE_PROVIDER: "4" }, /^IMAGE_PROVIDER must be one of/],
  ["a swapped Stripe key", { PROVIDER_A_SECRET_KEY: "pk_test_1" }, /start with sk_ or rk_/],
  ["a secret made public", { NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "sk_1" }, /start with pk_/],
  ["a webhook secret", { PROVIDER_A_WEBHOOK_SECRET: "we_1" }, /start with whsec_/],
  ["a key with a space", { IMAGE_PROVIDER_1_KEY: "a b" }, /^IMAGE_PROVIDER_1_KEY contains/],
  ["a product for a price", { [priceVariable(TOP_YEARLY)]: "prod_1" }, /holds a product id/],
  ["a number for a price", { [priceVariable(PLAN_MONTHLY)]: "9.00" }, /is not a price id/],
  ["a price for a product", { [productVariable(TOP_YEARLY)]: "price_1" }, /holds a price id/],
  ["an enterprise price", { PROVIDER_A_PRICE_ENTERPRISE_MONTHLY: "prod_1" }, /product id/],
  ["a landing price's alias", { STRIPE_PRICE_LANDING_X_2: "x" }, /^STRIPE_PRICE_LANDING_X_2 /],
  ["a landing product", { PROVIDER_B_PRODUCT_LANDING: "price_1" }, /price id/],
  ["a header with a colon", { PROVIDER_B_SIGNATURE_HEADER: "x-sig:" }, /is not a header name/],
  ["a base with a query", { PROVIDER_A_API_BASE: "https://a.com/?x" }, /is not an http/],
  ["a base without scheme", { IMAGE_PROVIDER_3_API_BASE: "a.com/v1" }, /is not an http/],
  ["a model with dots", { IMAGE_PROVIDER_1_MODEL: "fal/../x" }, /is not a model name/],
  ["a Replicate version", { IMAGE_PROVIDER_2_MODEL: "a/b:123" }, /owner\/name/],
  ["an http mail server", { SMTP_URL: "http://mail" }, /^SMTP_URL .*smtp:\/\//],
  ["a sender", { EMAIL_FROM: "Shop" }, /^EMAIL_FROM is not a sender/],
  ["an alias by its own name", { STRIPE_SECRET_KEY: "x" }, /^STRIPE_SECRET_KEY must start/],
])("a malformed value stops the start: %s", (_case, source, fault) => {
  expect(faultsOf(source)).toEqual([expect.stringMatching(fault)]);
});

test.each<[string, Source]>([
  ["a socket", { DATABASE_URL: "postgresql:///app?host=/run/postgresql" }],
  ["blank values", { S3_ENDPOINT: " ", PAYMENTS_PROVIDER: "", PORT: "\t", STRIPE_SECRET_KEY: "" }],
  ["a restricted key", { PROVIDER_A_SECRET_KEY: "rk_live_1" }],
  ["sandbox keys on localhost", { ...sandbox("http://localhost:3000") }],
  ["sandbox keys on a subdomain of localhost", { ...sandbox("http://shop.localhost") }],
  ["sandbox keys on 127.0.0.0/8", { ...sandbox("http://127.1.2.3:80") }],
  ["sandbox keys on [::1]", { ...sandbox("http://[::1]:3000") }],
  ["sandbox in a name that is no key", { DATABASE_URL: "postgres://h/sandbox" }],
  ["a mail host called sandbox", { SMTP_URL: "smtp://u:p@sandbox.smtp.mailtrap.io:2525" }],
  ["extension points", { STRIPE_PRICE_ENTERPRISE: "price_1", CREEM_PRODUCT_LANDING_A: "prod_1" }],
  ["equal aliases", { FAL_KEY: "k", IMAGE_PROVIDER_1_KEY: " k " }],
  ["a legacy price beside the monthly one", legacy("price_old", "price_new")],
])("accepted: %s", (_case, source) => {
  expect(faultsOf(source)).toEqual([]);
});

test.each([
  "https://example.com",
  "https://localhost.example.com",
  "http://128.0.0.1",
  "https://notlocalhost",
])("sandbox keys stop the start of %s, each by the name it was set under", (site) => {
  const faults = faultsOf({
    ...sandbox(site),
    S3_ACCESS_KEY_ID: "sandbox",
    S3_ENDPOINT: "http://s",
  });
  expect(faults.map((fault) => fault.split(" ", 1)[0])).toEqual([
    "S3_SECRET_ACCESS_KEY,",
    "S3_ACCESS_KEY_ID",
    "FAL_KEY",
    "PROVIDER_A_SECRET_KEY",
    "PROVIDER_B_API_KEY",
  ]);
});

test.each([
  ["PROVIDER_A_SECRET_KEY", "STRIPE_SECRET_KEY", "sk_1"],
  ["NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY", "NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY", "pk_1"],
  ["PROVIDER_A_WEBHOOK_SECRET", "STRIPE_WEBHOOK_SECRET", "whsec_1"],
  [priceVariable(TOP_YEARLY), priceAlias(TOP_YEARLY), "price_1"],
  ["PROVIDER_A_PRICE_ENTERPRISE_X", "STRIPE_PRICE_ENTERPRISE_X", "price_1"],
  ["PROVIDER_B_API_KEY", "CREEM_API_KEY", "creem_1"],
  [productVariable(PACK.skuKey), productAlias(PACK.skuKey), "prod_1"],
  ["IMAGE_PROVIDER_1_KEY", "FAL_KEY", "k"],
  ["IMAGE_PROVIDER_2_KEY", "REPLICATE_API_TOKEN", "k"],
  ["IMAGE_PROVIDER_3_KEY", "OPENAI_API_KEY", "k"],
])("%s may be called %s, and two values are a fault that names both", (name, alias, value) => {
  expect(parse({ [alias]: value })).toEqual(parse({ [name]: value }));
  const offered = JSON.stringify(parse({ [alias]: value })).includes(`"${value}"`);
  expect(offered).toBe(!name.includes("ENTERPRISE"));
  expect(faultsOf({ [name]: value, [alias]: `${value}2` })).toEqual([
    expect.stringMatching(`^${name} and ${alias} disagree`),
  ]);
});

test("one message lists every fault, a line each, and repeats no value", () => {
  const secret = "hunter2DISTINCTIVE";
  const source: Source = Object.fromEntries(
    listVariables().flatMap(({ name, alias }) => [
      [name, ` ${secret} "" ${name} `],
      ...(alias ? [[alias, `${secret}\u0000${alias}`]] : []),
    ]),
  );
  Object.assign(source, { AUTH_SECRET: secret, S3_BUCKET_NAME: "" });
  source.PROVIDER_A_PRICE_LANDING_1 = `prod_${secret}`;
  const error = errorOf(source);
  expect(error?.message.split("\n")).toHaveLength(1 + (error?.faults.length ?? 0));
  for (const { name } of listVariables()) expect(error?.message).toContain(name);
  expect(`${error?.stack} ${JSON.stringify(error)} ${error?.cause}`).not.toContain(secret);
});

test("a partial S3 set is a fault that names what is missing", () => {
  for (const missing of Object.keys(S3))
    expect(faultsOf({ ...S3, [missing]: " " })).toEqual([
      expect.stringMatching(`^${missing} is not set, so storage is incomplete`),
    ]);
  expect(faultsOf({ S3_ENDPOINT: "https://s3.example.com" })).toEqual([
    expect.stringMatching(/^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET_NAME are not set/),
  ]);
});

test("local means this machine only", () => {
  for (const host of ["localhost", "LOCALHOST.", "a.b.localhost", "127.255.0.1", "[::1]"])
    expect(isLocalHost(host), host).toBe(true);
  for (const host of ["", "localhost.com", "xlocalhost", "127.0.0.1.nip.io", "0.0.0.0", "[::2]"])
    expect(isLocalHost(host), host).toBe(false);
});
