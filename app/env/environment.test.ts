import { expect, test } from "vitest";
import { LEGACY_SLOT, legacy, parse, S3, type Source, STRIPE, sandbox } from "#tests/fixtures/env";
import { PLAN_MONTHLY, priceAlias, priceVariable, TOP_YEARLY } from "#tests/fixtures/sold";
import { legacyPriceNames } from "~/env/prices";
import { listVariables } from "~/env.server";

const PLAN_PRICE = { [priceVariable(PLAN_MONTHLY)]: "price_1" };

test("with only the required values everything else is off, and the only warning is about the proxy", () => {
  const env = parse({ TRUST_PROXY: undefined });
  expect(env).toMatchObject({
    nodeEnv: "production",
    port: 3000,
    logLevel: "info",
    trustProxy: 0,
    trustProxyHost: false,
    rateLimitScale: 1,
    signupCredits: 0,
    cronSecret: null,
    ttl: {
      uploadUrl: 300,
      downloadUrl: 3600,
      pendingFile: 86_400,
      webhookLease: 120,
      generation: 300,
    },
    storage: { enabled: false },
    images: { enabled: false, selected: null },
    payments: { enabled: false, provider: null },
    oauth: { github: null, google: null },
    turnstile: null,
    email: null,
    warnings: [expect.stringMatching(/^TRUST_PROXY is 0 and the site is https/)],
  });
  expect(env.siteUrl.href).toBe("https://example.com/");
});

test("unset storage values are derived from the provider and the endpoint", () => {
  const storage = (source: Source) => parse({ ...S3, ...source }).storage;
  expect(storage({})).toMatchObject({
    provider: "s3",
    region: "us-east-1",
    privateBucket: "bucket",
    publicUrl: null,
    forcePathStyle: true,
  });
  expect(storage({ STORAGE_PROVIDER: "R2" })).toMatchObject({ provider: "r2", region: "auto" });
  const amazon = { S3_ENDPOINT: "https://s3.eu-central-1.amazonaws.com" };
  expect(storage(amazon)).toMatchObject({ forcePathStyle: false });
  expect(storage({ ...amazon, S3_FORCE_PATH_STYLE: "TRUE" })).toMatchObject({
    forcePathStyle: true,
  });
  expect(storage({ S3_ENDPOINT: "https://s3.notamazonaws.com" })).toMatchObject({
    forcePathStyle: true,
  });
  const published = storage({ S3_PUBLIC_URL: "https://cdn.example.com/files" });
  expect(published.enabled && new URL("a/b.png", published.publicUrl ?? "").href).toBe(
    "https://cdn.example.com/files/a/b.png",
  );
});

test("selectors accept both spellings, case-insensitively", () => {
  for (const name of ["A", "a", "Stripe"])
    expect(parse({ PAYMENTS_PROVIDER: name }).payments.provider).toBe("stripe");
  for (const name of ["b", "CREEM"])
    expect(parse({ PAYMENTS_PROVIDER: name }).payments.provider).toBe("creem");
  for (const [name, provider] of Object.entries({ 1: "fal", REPLICATE: "replicate", 3: "openai" }))
    expect(parse({ IMAGE_PROVIDER: name }).images.selected).toBe(provider);
});

test("an API base loses its /v1 and trailing slashes, and Creem's base follows its key", () => {
  for (const written of ["https://a.com/x", "https://a.com/x/", "https://a.com/x/v1//"])
    expect(parse({ PROVIDER_A_API_BASE: written }).payments.stripe.apiBase).toBe("https://a.com/x");
  const creemBase = (source: Source) => parse(source).payments.creem.apiBase;
  expect(creemBase({})).toBe("https://api.creem.io");
  expect(creemBase({ CREEM_API_KEY: "creem_1" })).toBe("https://api.creem.io");
  expect(creemBase({ CREEM_API_KEY: "creem_test_1" })).toBe("https://test-api.creem.io");
  expect(
    creemBase({ CREEM_API_KEY: "creem_test_1", CREEM_API_BASE: "http://127.0.0.1:9/v1" }),
  ).toBe("http://127.0.0.1:9");
});

test.runIf(legacyPriceNames().length > 0)(
  "a legacy price replaces the monthly one only while that is unset",
  () => {
    const monthly = (source: Source) => parse(source).payments.stripe.prices[LEGACY_SLOT];
    expect(monthly(legacy("price_old"))).toBe("price_old");
    expect(monthly(legacy("price_old", "price_new"))).toBe("price_new");
  },
);

test.each<[string, Source, string, RegExp]>([
  ["images", { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "1" }, "images", /one of IMAGE_PROVIDER_1_KEY/],
  [
    "a selected image provider without its key",
    { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true", IMAGE_PROVIDER: "openai", FAL_KEY: "k" },
    "images",
    /^IMAGE_PROVIDER_3_KEY$/,
  ],
  ["payments", { NEXT_PUBLIC_ENABLE_PAYMENTS: "True" }, "payments", /^PAYMENTS_PROVIDER$/],
  ["Stripe", { ...STRIPE, PROVIDER_A_WEBHOOK_SECRET: "" }, "payments", /A_WEBHOOK_SECRET$/],
  ["Creem", { ...STRIPE, PAYMENTS_PROVIDER: "b" }, "payments", /^PROVIDER_B_API_KEY$/],
  ["cron", { ...STRIPE, CRON_SECRET: "", ...PLAN_PRICE }, "cron", /^CRON_SECRET$/],
  ["GitHub", { GITHUB_CLIENT_ID: "id" }, "github", /^GITHUB_CLIENT_SECRET$/],
  ["Google", { GOOGLE_CLIENT_SECRET: "s" }, "google", /^GOOGLE_CLIENT_ID$/],
  ["Turnstile", { TURNSTILE_SECRET_KEY: "s" }, "turnstile", /^NEXT_PUBLIC_TURNSTILE_SITE_KEY$/],
  ["email", { SMTP_URL: "smtp://localhost" }, "email", /^EMAIL_FROM$/],
])("an incomplete feature is a warning: %s", (_case, source, capability, missing) => {
  const { incomplete, warnings } = parse(source);
  const [name = ""] = incomplete[capability as keyof typeof incomplete];
  expect(name).toMatch(missing);
  expect(warnings).toContainEqual(expect.stringContaining(name));
});

test.each<[string, Source, RegExp]>([
  ["a localhost site", { NEXT_PUBLIC_SITE_URL: "http://localhost:3000" }, /localhost/],
  ["a plain http site", { NEXT_PUBLIC_SITE_URL: "http://example.com" }, /plain http/],
  ["a proxy that is not believed", { TRUST_PROXY: "0" }, /TRUST_PROXY is 0/],
  [
    "a forwarded host without a proxy",
    { TRUST_PROXY: "0", TRUST_PROXY_HOST: "true" },
    /TRUST_PROXY_HOST has no effect/,
  ],
  ["a short cron secret", { CRON_SECRET: "short" }, /CRON_SECRET is short/],
  ["no cron secret", { ...S3 }, /CRON_SECRET is not set/],
  ["a sweep before the upload", { PENDING_FILE_TTL: "10" }, /PENDING_FILE_TTL/],
  ["a selector without a store", { STORAGE_PROVIDER: "s3" }, /storage is disabled/],
  ["private files in public", { ...S3, S3_PUBLIC_URL: "https://c.com" }, /S3_PRIVATE_BUCKET_NAME/],
  ["credits nobody gets", { SIGNUP_CREDITS: "5" }, /SIGNUP_CREDITS/],
  ["mixed modes", { ...STRIPE, PROVIDER_A_SECRET_KEY: "rk_live_1" }, /mix test and live/],
  [
    "a test key at the live address",
    { ...STRIPE, CREEM_API_KEY: "creem_test_1", CREEM_API_BASE: "https://api.creem.io/v1" },
    /mix test and live/,
  ],
  [
    "one sandbox key among real ones",
    { ...STRIPE, ...sandbox("http://localhost") },
    /mix sandbox and real/,
  ],
  [
    "one price twice",
    { ...STRIPE, [priceAlias(TOP_YEARLY)]: "price_1", [priceAlias(PLAN_MONTHLY)]: "price_1" },
    /same price/,
  ],
])("a doubtful configuration starts, with a warning: %s", (_case, source, warning) => {
  const { warnings } = parse(source);
  expect(warnings).toContainEqual(expect.stringMatching(warning));
  for (const credential of [
    "sk_test_",
    "rk_live_",
    "pk_test_1",
    "whsec_1",
    "creem_test_",
    "SandBox",
  ])
    expect(warnings.join()).not.toContain(credential);
});

test("a feature that is off needs none of its variables", () => {
  const source = {
    PAYMENTS_PROVIDER: "B",
    IMAGE_PROVIDER: "2",
    [priceVariable(TOP_YEARLY)]: "price_1",
    ...PLAN_PRICE,
  };
  expect(parse(source).warnings).toEqual([]);
});

test("a missing cron secret gives only one warning", () => {
  const { warnings } = parse({ ...STRIPE, CRON_SECRET: "", ...PLAN_PRICE });
  expect(warnings.filter((warning) => warning.includes("CRON_SECRET"))).toHaveLength(1);
});

test("every variable sets its own field", () => {
  const written = listVariables()
    .filter(({ key, name }) => key || /_(PRICE|PRODUCT)_|BUCKET/.test(name))
    .filter(({ name }) => !legacyPriceNames().includes(name))
    .map(({ name }) => {
      const prefixes: [RegExp, string][] = [
        [/A_SECRET_KEY$/, "sk_"],
        [/PUBLISHABLE/, "pk_"],
        [/A_WEBHOOK/, "whsec_"],
        [/_PRICE_/, "price_"],
        [/_PRODUCT_/, "prod_"],
        [/OTLP_HEADERS$/, "name="],
      ];
      const prefix = prefixes.find(([pattern]) => pattern.test(name))?.[1] ?? "";
      return [name, `${prefix}${name}_${"x".repeat(32)}`] as const;
    });
  const source: Source = {
    ...S3,
    EMAIL_FROM: "a@b.c",
    SMTP_URL: "smtp://h",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
    ...Object.fromEntries(written),
  };
  const env = parse(source);
  expect([env.oauth, env.turnstile, env.storage, env.cronSecret]).toEqual([
    {
      github: {
        clientId: source.GITHUB_CLIENT_ID,
        clientSecret: source.GITHUB_CLIENT_SECRET,
        oauthBase: "https://github.com",
        apiBase: "https://api.github.com",
      },
      google: {
        clientId: source.GOOGLE_CLIENT_ID,
        clientSecret: source.GOOGLE_CLIENT_SECRET,
        oauthBase: null,
      },
    },
    {
      siteKey: source.NEXT_PUBLIC_TURNSTILE_SITE_KEY,
      secretKey: source.TURNSTILE_SECRET_KEY,
      apiBase: "https://challenges.cloudflare.com",
    },
    expect.objectContaining({
      accessKeyId: source.S3_ACCESS_KEY_ID,
      secretAccessKey: source.S3_SECRET_ACCESS_KEY,
      bucket: source.S3_BUCKET_NAME,
      privateBucket: source.S3_PRIVATE_BUCKET_NAME,
    }),
    source.CRON_SECRET,
  ]);
  for (const [slot, id] of Object.entries(env.payments.stripe.prices))
    expect(id).toBe(source[`PROVIDER_A_PRICE_${slot.toUpperCase()}`]);
  for (const [slot, id] of Object.entries(env.payments.creem.products))
    expect(id).toBe(source[`PROVIDER_B_PRODUCT_${slot.toUpperCase()}`]);
  const text = JSON.stringify(env);
  for (const [, value] of written)
    expect(text.split(`"${value.split("=").at(-1)}"`)).toHaveLength(2);
});

test("a localhost site gives no warning in development", () => {
  const source = { NODE_ENV: "development", NEXT_PUBLIC_SITE_URL: "http://localhost:3000" };
  expect(parse(source).warnings).toEqual([]);
});

test("a trusted proxy warns while every address is bound, and no longer once HOST says which", () => {
  const warningsOf = (HOST?: string) => parse({ HOST }).warnings;
  expect(warningsOf()).toEqual([expect.stringContaining("listens on every address")]);
  for (const host of ["127.0.0.1", "::1", "0.0.0.0", "localhost"])
    expect(warningsOf(host)).toEqual([]);
  for (const host of ["127.0.0.1:3000/", "http://a", "[::1]"])
    expect(() => warningsOf(host)).toThrow(/^The configuration has faults:\n {2}HOST is not/);
});

test.each<[Source, string | null]>([
  [{}, "https://api.pwnedpasswords.com"],
  [{ PASSWORD_BREACH_CHECK: "false" }, null],
  [{ PASSWORD_BREACH_CHECK: "false", PASSWORD_BREACH_API_BASE: "http://localhost:1" }, null],
  [{ NODE_ENV: "development" }, null],
  [{ NODE_ENV: "test", PASSWORD_BREACH_CHECK: "true" }, "https://api.pwnedpasswords.com"],
  [
    { NODE_ENV: "development", PASSWORD_BREACH_API_BASE: "http://localhost:1/" },
    "http://localhost:1",
  ],
])("with %j new passwords are checked at %s", (source, address) => {
  expect(parse(source).passwordBreachApi).toBe(address);
});

test.each([
  ["https://shop.example", true],
  ["http://localhost:3000", false],
])("the secret of a local listener is refused on a public site (%s)", (site, isRefused) => {
  const secret = `whsec_${"0123456789abcdef".repeat(4)}`;
  const start = () =>
    parse({ ...STRIPE, PROVIDER_A_WEBHOOK_SECRET: secret, NEXT_PUBLIC_SITE_URL: site });
  if (isRefused)
    expect(start).toThrow(/PROVIDER_A_WEBHOOK_SECRET holds the secret of a local listener/);
  else expect(start).not.toThrow();
});
