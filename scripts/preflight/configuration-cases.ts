import {
  COMPLETE,
  CREEM,
  EMAIL,
  IMAGES,
  REQUIRED,
  type Source,
  STORAGE,
  STRIPE,
  unset,
} from "./fixtures";
import { TLS_CASES } from "./tls-cases";

/** What the tests say that the project's own files print. */
export const PUBLISHED = "kP9wQ2xL5vN8bT1rY4mZ7cF0hJ3gD6sA";

/** What it is, what is changed of a complete configuration, which checks fail, and which only warn. */
export type Case = [what: string, change: Source, fails: string[], warns?: string[]];

const OFF = {
  ...unset(STRIPE),
  ...unset(STORAGE),
  ...unset(IMAGES),
};

export const CASES: Case[] = [
  ["everything on", {}, []],
  [
    "the three required values alone",
    { ...unset(COMPLETE), ...REQUIRED },
    [],
    ["env.proxy", "env.security-contact", "email.settings"],
  ],
  [
    "nothing at all",
    unset(COMPLETE),
    ["env.database-url", "env.auth-secret", "env.site-url"],
    ["env.security-contact", "email.settings"],
  ],

  ["no database", { DATABASE_URL: "" }, ["env.database-url"]],
  ["another database", { DATABASE_URL: "mysql://db/app" }, ["env.database-url"]],
  ["no secret", { AUTH_SECRET: " " }, ["env.auth-secret"]],
  ["31 characters", { AUTH_SECRET: "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uE" }, ["env.auth-secret"]],
  ["a secret that the docs print", { AUTH_SECRET: PUBLISHED }, ["env.auth-secret"]],
  [
    "a placeholder",
    { AUTH_SECRET: "please-change-me-before-you-deploy-this" },
    ["env.auth-secret"],
  ],
  ["one key held down", { AUTH_SECRET: "a".repeat(64) }, ["env.auth-secret"]],
  [
    "localhost",
    { NEXT_PUBLIC_SITE_URL: "https://localhost:3000", TRUST_PROXY: "" },
    ["env.site-url"],
  ],
  ["127.0.0.1", { NEXT_PUBLIC_SITE_URL: "http://127.0.0.1" }, ["env.site-url"]],
  ["a site with a path", { NEXT_PUBLIC_SITE_URL: "https://shop.test/en" }, ["env.site-url"]],
  ["plain http", { NEXT_PUBLIC_SITE_URL: "http://shop.test" }, [], ["env.site-url"]],
  ["development", { NODE_ENV: "development" }, [], ["env.service"]],
  ["an unknown mode", { NODE_ENV: "staging" }, ["env.service"]],
  ["a port and a limit", { PORT: "http", RATE_LIMIT_SCALE: "0" }, ["env.service"]],
  ["lifetimes that cross", { PENDING_FILE_TTL: "60" }, [], ["env.service"]],
  ["two names that disagree", { STRIPE_SECRET_KEY: "sk_live_other" }, ["env.aliases"]],
  [
    "sandbox keys on a public site",
    { PROVIDER_A_SECRET_KEY: "sk_test_sandbox_1", NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "" },
    ["env.sandbox-keys", "payments.mode"],
  ],
  ["no proxy believed on an https site", { TRUST_PROXY: "0" }, [], ["env.proxy"]],
  ["hops as a word", { TRUST_PROXY: "true" }, ["env.proxy"]],
  ["nobody to report to", { SECURITY_CONTACT: "" }, [], ["env.security-contact"]],
  [
    "nobody to report to in development",
    { SECURITY_CONTACT: "", NODE_ENV: "development" },
    [],
    ["env.service"],
  ],
  [
    "a contact without mailto:",
    { SECURITY_CONTACT: "security@shop.test" },
    ["env.security-contact"],
  ],
  ...TLS_CASES,

  ["subscriptions without CRON_SECRET", { CRON_SECRET: "" }, ["cron.secret"]],
  [
    "packs alone without CRON_SECRET",
    { CRON_SECRET: "", ...plansUnset("PROVIDER_A_PRICE") },
    ["payments.prices"],
    ["cron.secret"],
  ],
  [
    "storage alone without CRON_SECRET",
    { ...OFF, ...STORAGE, CRON_SECRET: "" },
    [],
    ["cron.secret"],
  ],
  ["a short CRON_SECRET", { CRON_SECRET: "0123456789abcde" }, ["cron.secret"]],
  ["CRON_SECRET with a space", { CRON_SECRET: "7f3a9c1e5b2d 8f604a6c0e9b" }, ["cron.secret"]],

  ["Creem", { ...unset(STRIPE), ...CREEM }, []],
  ["payments off, keys kept", { NEXT_PUBLIC_ENABLE_PAYMENTS: "" }, []],
  ["a flag that is no flag", { NEXT_PUBLIC_ENABLE_PAYMENTS: "yes" }, ["payments.provider"]],
  ["no provider", { PAYMENTS_PROVIDER: "" }, ["payments.provider"]],
  ["an unknown provider", { PAYMENTS_PROVIDER: "paypal" }, ["payments.provider"]],
  ["Stripe without its key", { PROVIDER_A_SECRET_KEY: "" }, ["payments.keys"]],
  ["Stripe without its webhook secret", { PROVIDER_A_WEBHOOK_SECRET: "" }, ["payments.keys"]],
  [
    "a publishable key as the secret one",
    { PROVIDER_A_SECRET_KEY: "pk_live_1" },
    ["payments.keys"],
  ],
  [
    "a malformed key while payments are off",
    { NEXT_PUBLIC_ENABLE_PAYMENTS: "", PROVIDER_A_SECRET_KEY: "x" },
    ["payments.keys"],
  ],
  [
    "Creem without both",
    { ...unset(STRIPE), ...CREEM, PROVIDER_B_API_KEY: "", PROVIDER_B_WEBHOOK_SECRET: "" },
    ["payments.keys"],
  ],
  [
    "Stripe's prices while Creem is active",
    { ...CREEM, ...unset(pricesOf("PROVIDER_B_PRODUCT")) },
    ["payments.prices"],
  ],
  ["one price missing", { PROVIDER_A_PRICE_CREDITS_LARGE: "" }, ["payments.prices"]],
  ["the legacy monthly prices", legacy(), []],
  ["a product for a price", { PROVIDER_A_PRICE_PRO_ANNUAL: "prod_1" }, ["payments.prices"]],
  [
    "a price for a product",
    { ...unset(STRIPE), ...CREEM, PROVIDER_B_PRODUCT_PRO_ANNUAL: "price_1" },
    ["payments.prices"],
  ],
  [
    "a reserved name with a product",
    { STRIPE_PRICE_ENTERPRISE_MONTHLY: "prod_1" },
    ["payments.prices"],
  ],
  ["one price twice", { PROVIDER_A_PRICE_PRO_ANNUAL: "price_pro_monthly" }, ["payments.prices"]],
  [
    "a live key with a test one",
    { NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_1" },
    ["payments.mode"],
  ],
  [
    "test mode",
    { PROVIDER_A_SECRET_KEY: "sk_test_1", NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_1" },
    [],
    ["payments.mode"],
  ],
  [
    "a live Creem key at the test address",
    { ...unset(STRIPE), ...CREEM, CREEM_API_BASE: "https://test-api.creem.io" },
    ["payments.mode"],
  ],
  [
    "a test Creem key at the live address",
    {
      ...unset(STRIPE),
      ...CREEM,
      CREEM_API_KEY: "creem_test_1",
      PROVIDER_B_API_KEY: "",
      PROVIDER_B_API_BASE: "https://api.creem.io/v1",
    },
    ["payments.mode"],
  ],

  [
    "storage off",
    unset({ ...STORAGE, CRON_SECRET: undefined }),
    ["cron.secret"],
    ["images.storage"],
  ],
  ["a partial storage set", { S3_SECRET_ACCESS_KEY: "" }, ["storage.settings"]],
  ["an endpoint without scheme", { S3_ENDPOINT: "s3.example.com" }, ["storage.settings"]],
  ["a kind without its settings", { ...OFF, STORAGE_PROVIDER: "r2" }, [], ["storage.settings"]],
  ["a store on this machine", { S3_ENDPOINT: "http://127.0.0.1:9000" }, ["storage.settings"]],
  ["a store over plain http", { S3_ENDPOINT: "http://minio.internal:9000" }, ["storage.settings"]],
  [
    "a store over plain http for a site over plain http",
    { S3_ENDPOINT: "http://minio.internal:9000", NEXT_PUBLIC_SITE_URL: "http://shop.test" },
    ["storage.settings"],
    ["env.site-url"],
  ],
  [
    "public files on the site's origin",
    { S3_PUBLIC_URL: "https://shop.test/files" },
    ["storage.public-url"],
  ],
  [
    "a store on the site's origin",
    { S3_ENDPOINT: "https://shop.test", S3_PUBLIC_URL: "" },
    ["storage.public-url"],
  ],
  ["no public address", { S3_PUBLIC_URL: "" }, [], ["storage.public-url"]],
  [
    "private files in the public bucket",
    { S3_PRIVATE_BUCKET_NAME: "" },
    [],
    ["storage.private-bucket"],
  ],
  [
    "the public bucket named twice",
    { S3_PRIVATE_BUCKET_NAME: "shop-public" },
    [],
    ["storage.private-bucket"],
  ],

  ["images without any key", { FAL_KEY: "" }, ["images.provider"]],
  ["a selected provider without its key", { IMAGE_PROVIDER: "3" }, ["images.provider"]],
  ["an unknown image provider", { IMAGE_PROVIDER: "4" }, ["images.provider"]],
  ["a model with a version", { IMAGE_PROVIDER_2_MODEL: "a/b:1" }, ["images.provider"]],
  ["images alone, off storage", { ...OFF, ...IMAGES }, [], ["images.storage"]],

  ["half of GitHub", { GITHUB_CLIENT_SECRET: "" }, ["signin.github"]],
  ["half of Google", { GOOGLE_CLIENT_ID: "" }, ["signin.google"]],
  ["half of the bot challenge", { TURNSTILE_SECRET_KEY: "" }, ["bot-challenge.keys"]],
  ["a bot challenge key with a space", { TURNSTILE_SECRET_KEY: "a b" }, ["bot-challenge.keys"]],
  ["half of e-mail", { EMAIL_FROM: "" }, ["email.settings"]],
  ["a mail server that is none", { SMTP_URL: "mail.internal" }, ["email.settings"]],
  ["no e-mail", unset(EMAIL), [], ["email.settings"]],
  [
    "sign-up credits with nobody to verify addresses",
    {
      ...unset(EMAIL),
      GITHUB_CLIENT_ID: "",
      GITHUB_CLIENT_SECRET: "",
      GOOGLE_CLIENT_ID: "",
      GOOGLE_CLIENT_SECRET: "",
      SIGNUP_CREDITS: "50",
    },
    ["email.settings"],
  ],
  [
    "sign-up credits verified by GitHub",
    { ...unset(EMAIL), SIGNUP_CREDITS: "50" },
    [],
    ["email.settings"],
  ],
];

function pricesOf(prefix: string): Source {
  const source = { ...STRIPE, ...CREEM };
  return Object.fromEntries(Object.entries(source).filter(([name]) => name.startsWith(prefix)));
}

function plansUnset(prefix: string): Source {
  return unset(
    Object.fromEntries(
      Object.entries(pricesOf(prefix)).filter(([name]) => !name.includes("CREDITS")),
    ),
  );
}

function legacy(): Source {
  return {
    PROVIDER_A_PRICE_STARTER_MONTHLY: "",
    PROVIDER_A_PRICE_PRO_MONTHLY: "",
    PROVIDER_A_PRICE_STARTER: "price_old_starter",
    STRIPE_PRICE_PRO: "price_old_pro",
  };
}
