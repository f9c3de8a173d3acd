import type { Env } from "~/env.server";
import { githubEndpoints, googleEndpoints } from "~/services/auth/oauth/oauth-endpoints";
import { hostedOrigins } from "~/services/payments/hosted-origins";
import { storeOrigins } from "~/services/storage/store-origins.server";

/** The settings that hold addresses of others. A preflight may have no valid `siteUrl`. */
export type AddressSettings = Pick<
  Env,
  | "payments"
  | "images"
  | "text"
  | "oauth"
  | "turnstile"
  | "passwordBreachApi"
  | "storage"
  | "traces"
> & { siteUrl: URL | null };

/** One row of the list in docs/security.md. */
export interface Listed {
  /** Who is called, in documents and errors. */
  to: string;
  /** The variables that hold the address. */
  variables: readonly string[];
  /** Completes the row: what for. */
  why: string;
}

/** A purpose for which this code calls others by HTTP. */
interface Purpose extends Listed {
  /** Only the origins of these addresses may be called, as in `https://*.example.com`. None while the feature is off. */
  bases(settings: AddressSettings): readonly string[];
  /** Bytes of the longest response. */
  bytes: number;
  /** Seconds of the longest call, its response included; callers may give up earlier. */
  seconds: number | "GENERATION_TTL";
}

const MIB = 1024 * 1024;

/** Four pictures of 1536 by 1024 in base64 are about 20 MB. */
const PICTURES = { why: "pictures", bytes: 64 * MIB, seconds: "GENERATION_TTL" } as const;

/** Every purpose of a call by HTTP to an address from the configuration. */
export const PURPOSES = {
  storage: {
    to: "the store",
    variables: ["S3_ENDPOINT", "S3_PUBLIC_URL"],
    why: "objects, with the bucket in the path or as a subdomain; browsers go there themselves, too. Only the preflight asks the public address",
    bases: ({ storage }) => storeOrigins(storage),
    bytes: 32 * MIB,
    seconds: 60,
  },
  stripe: {
    to: "Stripe",
    variables: ["PROVIDER_A_API_BASE"],
    why: "checkout, portal, cancellation, changes of plan, reconciliation",
    bases: ({ payments }) => [payments.stripe.apiBase],
    bytes: 16 * MIB,
    seconds: 10,
  },
  creem: {
    to: "Creem",
    variables: ["PROVIDER_B_API_BASE"],
    why: "the same",
    bases: ({ payments }) => [payments.creem.apiBase],
    bytes: 16 * MIB,
    seconds: 10,
  },
  promptCheck: {
    to: "Creem's check of prompts",
    variables: ["PROVIDER_B_API_BASE"],
    why: "may this prompt be used? Only where Creem takes the payments",
    bases: ({ payments }) => [payments.creem.apiBase],
    bytes: MIB,
    seconds: 10,
  },
  fal: {
    to: "fal",
    variables: ["IMAGE_PROVIDER_1_API_BASE", "IMAGE_PROVIDER_1_QUEUE_BASE"],
    bases: ({ images }) => [images.providers.fal.queueBase],
    ...PICTURES,
  },
  replicate: {
    to: "Replicate",
    variables: ["IMAGE_PROVIDER_2_API_BASE"],
    bases: ({ images }) => [images.providers.replicate.apiBase],
    ...PICTURES,
  },
  openai: {
    to: "OpenAI",
    variables: ["IMAGE_PROVIDER_3_API_BASE"],
    bases: ({ images }) => [images.providers.openai.apiBase],
    ...PICTURES,
  },
  text: {
    to: "the text provider",
    variables: ["TEXT_PROVIDER_API_BASE"],
    why: "texts",
    bases: ({ text }) => [text.apiBase],
    bytes: 16 * MIB,
    seconds: "GENERATION_TTL",
  },
  github: {
    to: "GitHub",
    variables: ["GITHUB_OAUTH_BASE", "GITHUB_API_BASE"],
    why: "sign-in: who is it?",
    bases: ({ oauth: { github } }) =>
      github ? [githubEndpoints(github).token, github.apiBase] : [],
    bytes: MIB,
    seconds: 10,
  },
  google: {
    to: "Google",
    variables: ["GOOGLE_OAUTH_BASE"],
    why: "the same",
    bases({ oauth: { google } }) {
      if (!google) return [];
      const { token, userinfo } = googleEndpoints(google);
      return [token, userinfo];
    },
    bytes: MIB,
    seconds: 10,
  },
  botChallenge: {
    to: "Cloudflare Turnstile",
    variables: ["TURNSTILE_API_BASE"],
    why: "is a token good? Visitors' browsers load the challenge's script from there",
    bases: ({ turnstile }) => (turnstile ? [turnstile.apiBase] : []),
    bytes: MIB,
    seconds: 10,
  },
  breachedPasswords: {
    to: "Have I Been Pwned",
    variables: ["PASSWORD_BREACH_API_BASE"],
    why: "five characters of a new password's hash: has it leaked?",
    bases: ({ passwordBreachApi }) => (passwordBreachApi ? [passwordBreachApi] : []),
    bytes: MIB,
    seconds: 1,
  },
  traces: {
    to: "the collector of traces",
    variables: ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    why: "spans of requests, statements, calls and jobs, where it is set",
    bases: ({ traces }) => (traces ? [traces.endpoint] : []),
    bytes: MIB,
    seconds: 5,
  },
  site: {
    to: "the site itself",
    variables: ["NEXT_PUBLIC_SITE_URL"],
    why: "`npm run cron`, `npm run status` and `npm run acceptance`; their `--url` and `--site` name another address",
    bases: ({ siteUrl }) => (siteUrl ? [siteUrl.origin] : []),
    bytes: MIB,
    seconds: 300,
  },
  portal: {
    to: "the payment provider's portal",
    variables: [],
    why: "`npm run acceptance`: does its page open?",
    bases: ({ payments }) => hostedOrigins(payments),
    bytes: 16 * MIB,
    seconds: 30,
  },
} as const satisfies Record<string, Purpose>;

export type PurposeName = keyof typeof PURPOSES;

/** Purposes whose calls have a fixed limit, so that `fetch` can serve them. */
export type FetchPurpose = {
  [Name in PurposeName]: (typeof PURPOSES)[Name]["seconds"] extends number ? Name : never;
}[PurposeName];

/** Limits of fetching a finished picture, whose host the image provider chooses. */
export const FINISHED_PICTURES = {
  to: "hosts that image providers name for finished pictures",
  variables: [],
  why: "saving the picture. Public addresses over https on port 443 only, checked when the connection is made, and again for each redirect",
  bytes: 25 * MIB,
  seconds: 30,
  redirects: 3,
} as const satisfies Listed & { bytes: number; seconds: number; redirects: number };

/** Connections that are no HTTP. Each driver knows its one address, and nothing else. */
export const DRIVERS = {
  database: {
    to: "PostgreSQL",
    variables: ["DATABASE_URL", "DIRECT_DATABASE_URL"],
    why: "everything",
  },
  mail: { to: "the mail server", variables: ["SMTP_URL"], why: "emails" },
} as const satisfies Record<string, Listed>;
