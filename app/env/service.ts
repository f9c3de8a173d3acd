import { availableParallelism } from "node:os";
import type { z } from "zod";
import {
  apiBase,
  choice,
  connectionUrl,
  flag,
  format,
  integer,
  matching,
  positiveNumber,
  siteOrigin,
} from "~/env/formats";

const SEVEN_DAYS = 7 * 24 * 60 * 60;

/** Text that stands on a receipt. */
const printed = (what: string) =>
  matching(
    /^[^\p{Cc}"]{1,300}$/u,
    `is not ${what}: write up to 300 characters on one line, without double quotes`,
  );

/** Reads `a@example.com, b@example.com`; undefined if one of them isn't an address. */
function readAddresses(text: string): string[] | undefined {
  const addresses = text.split(",").map((address) => address.trim().toLowerCase());
  return addresses.every((address) => /^[^\s@<>?&]+@[^\s@<>?&]+$/.test(address))
    ? addresses
    : undefined;
}

/** The server's own settings; DATABASE_URL, AUTH_SECRET and NEXT_PUBLIC_SITE_URL are the only required variables. */
export const serviceVariables = {
  DATABASE_URL: connectionUrl(
    ["postgres", "postgresql"],
    "is not set: write the database's address, like postgres://user:password@host:5432/name",
  ).meta({
    description:
      "PostgreSQL connection string. With `?pgbouncer=true` no statement is prepared, for poolers that keep none.",
    secret: true,
  }),
  DIRECT_DATABASE_URL: connectionUrl(["postgres", "postgresql"]).optional().meta({
    description:
      "The same database directly, not through the pooler, for migrations and backups; needed where DATABASE_URL leads through a pooler in transaction mode.",
    secret: true,
  }),
  DATABASE_POOL_SIZE: integer(2, 1000).default(10).meta({
    description: "The largest number of database connections per server process.",
  }),
  AUTH_SECRET: matching(
    /^.{32,}$/su,
    "is shorter than 32 characters: make one with `openssl rand -base64 48`",
    "is not set: make one with `openssl rand -base64 48`",
  ).meta({
    description: "Signs session cookies and email links; at least 32 characters.",
    secret: true,
    key: true,
  }),
  NEXT_PUBLIC_SITE_URL: siteOrigin().meta({
    description: "The address people open, scheme and host only.",
  }),
  NODE_ENV: format(
    (text) => (["development", "production", "test"] as const).find((mode) => mode === text),
    "must be one of development, production, test",
  )
    .default("production")
    .meta({ description: "The mode the server runs in." }),
  PORT: integer(0, 65_535)
    .default(3000)
    .meta({ description: "Port the server listens on; 0 takes any free one." }),
  HOST: matching(
    /^[\w.:-]+$/,
    "is not an address of this machine: write it like 127.0.0.1 or ::1, without brackets and port",
  )
    .optional()
    .meta({
      description: "Address the server listens on, like 127.0.0.1; when unset, every address.",
    }),
  WEB_CONCURRENCY: format(
    readProcessCount,
    "is not a number of processes from 1 to 64: write digits only, or auto for one per core",
  )
    .default(1)
    .meta({ description: "Number of server processes under one parent; auto is one per core." }),
  WORKER: choice({ on: "on" as const, off: "off" as const })
    .default("on")
    .meta({
      description:
        "Whether the server does background work itself; when off, `npm run worker` has to run somewhere.",
    }),
  SHUTDOWN_DELAY: integer(0, 300).optional().meta({
    description:
      "Seconds the server serves on after SIGTERM, with /readyz at 503; 3 behind a proxy, else 0.",
  }),
  LOG_LEVEL: choice({
    trace: "trace" as const,
    debug: "debug" as const,
    info: "info" as const,
    warn: "warn" as const,
    error: "error" as const,
    fatal: "fatal" as const,
    silent: "silent" as const,
  })
    .default("info")
    .meta({
      description: "How much is logged, from trace (all) to silent; security events always are.",
    }),
  TRUST_PROXY: integer(0, 100).default(0).meta({
    description: "Number of reverse proxies in front whose forwarding headers are believed.",
  }),
  TRUST_PROXY_HOST: flag().default(false).meta({
    description:
      "Believes X-Forwarded-Host, for a site served under several names; every proxy must overwrite it.",
  }),
  HSTS_INCLUDE_SUBDOMAINS: flag().default(true).meta({
    description:
      "Whether browsers that saw the https site refuse plain http for its subdomains, too, for a year.",
  }),
  DIRECT_RENDERING: flag().default(true).meta({
    description:
      "Renders signed-in pages without Remix's request handler; when false, Remix handles every request.",
  }),
  RATE_LIMIT_SCALE: positiveNumber()
    .default(1)
    .meta({ description: "Multiplies every rate limit." }),
  SIGNUP_CREDITS: integer(0).default(0).meta({
    description: "Credits a new account gets once, after its email address is verified.",
  }),
  CRON_SECRET: matching(
    /^[\x21-\x7e]+$/,
    "contains a space or a character outside ASCII: make one with `openssl rand -hex 32`",
  )
    .optional()
    .meta({
      description: "Bearer token of the cron routes, needed once subscriptions are sold.",
      secret: true,
      key: true,
    }),
  METRICS_SECRET: matching(
    /^[\x21-\x7e]+$/,
    "contains a space or a character outside ASCII: make one with `openssl rand -hex 32`",
  )
    .optional()
    .meta({
      description: "Bearer token of /metrics, which is 404 without it.",
      secret: true,
      key: true,
    }),
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      "Port on which `npm run worker` serves /metrics and /healthz; when unset, it serves nothing.",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: apiBase().optional().meta({
    description:
      "Collector that takes traces by OTLP over HTTP (JSON), without /v1/traces; when unset, nothing is traced.",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: format(
    readHeaders,
    "is not a list of headers: write them like authorization=Basic%20abc,x-tenant=shop",
  )
    .optional()
    .meta({ description: "Headers for that collector, percent-encoded.", secret: true, key: true }),
  OTEL_TRACES_SAMPLER_ARG: format(
    (text) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
    "is not a share from 0 to 1: write it like 0.1",
  )
    .default(1)
    .meta({ description: "Share of requests and jobs that are traced." }),
  SECURITY_CONTACT: matching(
    /^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s<>]+)$/i,
    "is not an address for reports: write mailto:security@example.com or an https URL",
  )
    .optional()
    .meta({
      description:
        "Where people report weaknesses, as mailto:security@example.com or an https URL; turns on /.well-known/security.txt.",
    }),
  SUPPORT_EMAIL: matching(
    /^[^\s@<>?&]+@[^\s@<>?&]+$/,
    "is not an email address: write it like help@example.com",
  )
    .optional()
    .meta({
      description: "Where people write to: in the footer, on errors, on receipts and in emails.",
    }),
  SUPPORT_URL: matching(
    /^https:\/\/[^\s<>"]+$/i,
    "is not the address of a page for help: write it like https://example.com/help",
  )
    .optional()
    .meta({ description: "A page for help, in the footer, and where there is no SUPPORT_EMAIL." }),
  ADMIN_EMAILS: format(
    readAddresses,
    "is not a list of email addresses: write them with commas between, like a@example.com, b@example.com",
  )
    .optional()
    .meta({
      description:
        "Addresses of those who may use the admin pages, with commas between. Each needs a verified account with an authenticator app.",
    }),
  SELLER_NAME: printed("a name").optional().meta({
    description: "Who sells, as on an invoice: stands on receipts.",
  }),
  SELLER_ADDRESS: printed("an address").optional().meta({
    description: "The seller's address, on receipts; a semicolon begins a new line.",
  }),
  SELLER_TAX_ID: printed("a number").optional().meta({
    description: "The seller's tax or registration number, on receipts.",
  }),
  DEVELOPER_SECTION: flag().optional().meta({
    description:
      "Whether the start page has the part that advertises this starter to developers; when unset, outside production only.",
  }),
  UPLOAD_URL_TTL: integer(1, SEVEN_DAYS)
    .default(300)
    .meta({ description: "Seconds an upload URL is valid." }),
  DOWNLOAD_URL_TTL: integer(1, SEVEN_DAYS)
    .default(3600)
    .meta({ description: "Seconds a signed download URL is valid." }),
  PENDING_FILE_TTL: integer(1)
    .default(86_400)
    .meta({ description: "Seconds after which an unconfirmed upload is swept." }),
  WEBHOOK_LEASE_TTL: integer(1)
    .default(120)
    .meta({ description: "Seconds one attempt may hold a webhook delivery." }),
  GENERATION_TTL: integer(1).default(300).meta({
    description: "Seconds that a run may take while its request waits; then it is refunded.",
  }),
};

export type ServiceValues = z.output<z.ZodObject<typeof serviceVariables>>;

/** `name=value,name=value`, as OpenTelemetry writes it. */
function readHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(",").map((pair) => /^\s*([\w-]+)=([^\s,]+)\s*$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  try {
    return Object.fromEntries(
      pairs.map((pair) => [pair?.[1] ?? "", decodeURIComponent(pair?.[2] ?? "")]),
    );
  } catch {
    return undefined;
  }
}

function readProcessCount(text: string): number | undefined {
  if (text.toLowerCase() === "auto") return availableParallelism();
  const count = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return count >= 1 && count <= 64 ? count : undefined;
}

/** Seconds for balancers to notice a stop. With the five of the drain, below the ten of most platforms. */
const DELAY_BEHIND_PROXY = 3;

/** Seconds that the server serves on after SIGTERM. */
export function shutdownDelayOf(values: ServiceValues): number {
  return values.SHUTDOWN_DELAY ?? (values.TRUST_PROXY > 0 ? DELAY_BEHIND_PROXY : 0);
}

/** Where traces go; null without an address. */
export function buildTraces(values: ServiceValues) {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return null;
  const headers = values.OTEL_EXPORTER_OTLP_HEADERS ?? {};
  return { endpoint, headers, share: values.OTEL_TRACES_SAMPLER_ARG };
}
