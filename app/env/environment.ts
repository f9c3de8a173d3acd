import type { z } from "zod";
import { type AccountsEnv, buildAccounts, findBreachApi } from "~/env/accounts";
import { buildImages, type ImagesEnv } from "~/env/images";
import { listPaymentWarnings } from "~/env/payment-warnings";
import { buildPayments, type PaymentsEnv, sellsSubscriptions } from "~/env/payments";
import { buildTraces, shutdownDelayOf } from "~/env/service";
import { listServiceWarnings } from "~/env/service-warnings";
import { buildStorage, type StorageEnv } from "~/env/storage";
import { buildText, type TextEnv } from "~/env/text";
import type { environmentSchema } from "~/env/variables";
import { readSeller, type Seller } from "~/utils/seller";
import type { Support } from "~/utils/support";

type Values = z.output<typeof environmentSchema>;

export interface Env extends AccountsEnv {
  nodeEnv: "development" | "production" | "test";
  databaseUrl: string;
  /** The same database past a pooler; null if `databaseUrl` is the only way to it. */
  directDatabaseUrl: string | null;
  /** Most connections of this process. */
  databasePoolSize: number;
  authSecret: string;
  /** Only its origin is used. */
  siteUrl: URL;
  port: number;
  /** Address to listen on; null for every address. */
  host: string | null;
  /** Number of server processes. */
  processes: number;
  /** Whether server processes do background work. */
  worker: boolean;
  /** Seconds that the server serves on after SIGTERM. */
  shutdownDelay: number;
  logLevel: Values["LOG_LEVEL"];
  /** Number of proxies whose forwarding headers are trusted. */
  trustProxy: number;
  /** Whether `X-Forwarded-Host` is among the trusted headers. */
  trustProxyHost: boolean;
  /** Whether `Strict-Transport-Security` names the subdomains; only an https site sends it. */
  hstsIncludeSubdomains: boolean;
  /** Whether pages are rendered without Remix's request handler where that works. */
  directRendering: boolean;
  rateLimitScale: number;
  /** Storage limit per user. */
  storageQuotaBytes: number;
  /** In credits. */
  signupCredits: number;
  cronSecret: string | null;
  metricsSecret: string | null;
  /** Where traces go; null if nothing is traced. */
  traces: { endpoint: string; headers: Record<string, string>; share: number } | null;
  /** Where a worker serves its metrics; null for nowhere. */
  metricsPort: number | null;
  /** A `mailto:` or https URL for vulnerability reports. */
  securityContact: string | null;
  support: Support;
  /** In lower case. */
  adminEmails: string[];
  /** Named on receipts; null if it isn't set. */
  seller: Seller | null;
  /** Whether the start page advertises the starter itself. */
  developerSection: boolean;
  /** URL of the API that new passwords are checked against; null if they are not. */
  passwordBreachApi: string | null;
  /** In seconds. */
  ttl: {
    uploadUrl: number;
    downloadUrl: number;
    pendingFile: number;
    webhookLease: number;
    generation: number;
  };
  storage: StorageEnv;
  images: ImagesEnv;
  text: TextEnv;
  payments: PaymentsEnv;
  /** For each feature that is on, the variables it cannot work without; empty if all are set. */
  incomplete: Record<
    "images" | "text" | "payments" | "cron" | "github" | "google" | "turnstile" | "email",
    string[]
  >;
  /** Sentences for the log at start-up; they name variables and contain no value. */
  warnings: string[];
}

const CONSEQUENCES: Record<keyof Env["incomplete"], string> = {
  images: "Image generation is on but unavailable",
  text: "Text generation is on but unavailable",
  payments: "Payments are on but unavailable",
  cron: "Subscriptions are sold but their monthly credits are not granted by schedule",
  github: "GitHub sign-in stays off",
  google: "Google sign-in stays off",
  turnstile: "The bot challenge stays off",
  email: "Email stays off",
};

/** Warnings about features that are on but lack something they need. */
function listGaps(env: Omit<Env, "warnings">): string[] {
  const warnings = (Object.keys(CONSEQUENCES) as (keyof Env["incomplete"])[])
    .filter((capability) => env.incomplete[capability].length > 0)
    .map(
      (capability) => `${CONSEQUENCES[capability]}: set ${env.incomplete[capability].join(", ")}`,
    );
  const verifies = env.email ?? env.oauth.github ?? env.oauth.google;
  if (env.signupCredits > 0 && !verifies)
    warnings.push(
      "SIGNUP_CREDITS are never given: no address can be verified without SMTP_URL and EMAIL_FROM",
    );
  if (env.turnstile && !env.email)
    warnings.push(
      "The bot challenge is on and email is off: people whose browser runs no JavaScript cannot sign up without SMTP_URL and EMAIL_FROM",
    );
  const leavesWork = [env.storage, env.images, env.text, env.payments].some(
    ({ enabled }) => enabled,
  );
  if (leavesWork && !env.cronSecret && env.incomplete.cron.length === 0)
    warnings.push(
      "CRON_SECRET is not set: nothing can call the cron routes, so nothing is swept or retried",
    );
  return warnings;
}

export function buildEnv(values: Values): Env {
  const { storage, warnings: storageWarnings } = buildStorage(values);
  const { images, incomplete: imagesIncomplete } = buildImages(values);
  const { text, incomplete: textIncomplete } = buildText(values);
  const { payments, incomplete: paymentsIncomplete } = buildPayments(values);
  const { accounts, incomplete: accountsIncomplete } = buildAccounts(values);
  const env = {
    nodeEnv: values.NODE_ENV,
    databaseUrl: values.DATABASE_URL,
    directDatabaseUrl: values.DIRECT_DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    authSecret: values.AUTH_SECRET,
    siteUrl: values.NEXT_PUBLIC_SITE_URL,
    port: values.PORT,
    host: values.HOST ?? null,
    processes: values.WEB_CONCURRENCY,
    worker: values.WORKER === "on",
    shutdownDelay: shutdownDelayOf(values),
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    trustProxyHost: values.TRUST_PROXY_HOST,
    hstsIncludeSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
    directRendering: values.DIRECT_RENDERING,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    storageQuotaBytes: values.STORAGE_QUOTA_MB * 1024 * 1024,
    signupCredits: values.SIGNUP_CREDITS,
    cronSecret: values.CRON_SECRET ?? null,
    metricsSecret: values.METRICS_SECRET ?? null,
    traces: buildTraces(values),
    metricsPort: values.METRICS_PORT ?? null,
    securityContact: values.SECURITY_CONTACT ?? null,
    adminEmails: values.ADMIN_EMAILS ?? [],
    seller: readSeller({
      name: values.SELLER_NAME,
      address: values.SELLER_ADDRESS,
      taxId: values.SELLER_TAX_ID,
    }),
    support: { email: values.SUPPORT_EMAIL ?? null, url: values.SUPPORT_URL ?? null },
    developerSection: values.DEVELOPER_SECTION ?? values.NODE_ENV !== "production",
    passwordBreachApi: findBreachApi(values, values.NODE_ENV),
    ttl: {
      uploadUrl: values.UPLOAD_URL_TTL,
      downloadUrl: values.DOWNLOAD_URL_TTL,
      pendingFile: values.PENDING_FILE_TTL,
      webhookLease: values.WEBHOOK_LEASE_TTL,
      generation: values.GENERATION_TTL,
    },
    storage,
    images,
    text,
    payments,
    ...accounts,
    incomplete: {
      images: imagesIncomplete,
      text: textIncomplete,
      payments: paymentsIncomplete,
      cron: sellsSubscriptions(payments) && !values.CRON_SECRET ? ["CRON_SECRET"] : [],
      ...accountsIncomplete,
    },
  };
  return {
    ...env,
    warnings: [
      ...listServiceWarnings(values),
      ...storageWarnings,
      ...listPaymentWarnings(payments),
      ...listGaps(env),
    ],
  };
}
