import type { z } from "zod";
import { apiBase, connectionUrl, credential, flag, format } from "~/env/formats";

export interface OauthEnv {
  /** Null while that sign-in is off. The bases have no trailing slash. */
  github: (OauthClient & { oauthBase: string; apiBase: string }) | null;
  /** `oauthBase` is null for Google itself, whose endpoints are on several hosts. */
  google: (OauthClient & { oauthBase: string | null }) | null;
}

interface OauthClient {
  clientId: string;
  clientSecret: string;
}

export interface AccountsEnv {
  oauth: OauthEnv;
  /** `apiBase` serves both the browser's script and siteverify. */
  turnstile: { siteKey: string; secretKey: string; apiBase: string } | null;
  email: { smtpUrl: string; from: string } | null;
}

const BREACH_API = "https://api.pwnedpasswords.com";
const TURNSTILE_API = "https://challenges.cloudflare.com";

function publicKey(description: string) {
  return credential().optional().meta({ description, key: true });
}
function secretKey(description: string) {
  return credential().optional().meta({ description, secret: true, key: true });
}

/** Whether the text is `noreply@example.com` or `Name <noreply@example.com>`. */
function isSender(text: string): boolean {
  const named = /^[^\r\n<>]*<([^<>]*)>$/.exec(text);
  return /^[^\s<>@]+@[^\s<>@]+$/.test(named?.[1] ?? text);
}

/** Each feature is on when its pair of variables is set. */
export const accountVariables = {
  GITHUB_CLIENT_ID: publicKey("OAuth client of GitHub sign-in."),
  GITHUB_CLIENT_SECRET: secretKey("Secret of the GitHub client."),
  GITHUB_OAUTH_BASE: apiBase()
    .default("https://github.com")
    .meta({ description: "Address of GitHub's sign-in pages." }),
  GITHUB_API_BASE: apiBase()
    .default("https://api.github.com")
    .meta({ description: "Address of GitHub's API." }),
  GOOGLE_CLIENT_ID: publicKey("OAuth client of Google sign-in."),
  GOOGLE_CLIENT_SECRET: secretKey("Secret of the Google client."),
  GOOGLE_OAUTH_BASE: apiBase().optional().meta({
    description: "Address of a stand-in for Google's sign-in; when unset, Google's own addresses.",
  }),
  NEXT_PUBLIC_TURNSTILE_SITE_KEY: publicKey("Site key of the Cloudflare Turnstile bot challenge."),
  TURNSTILE_SECRET_KEY: secretKey("Secret key of the bot challenge."),
  TURNSTILE_API_BASE: apiBase()
    .optional()
    .meta({ description: `Address of the bot challenge, by default ${TURNSTILE_API}.` }),
  SMTP_URL: connectionUrl(["smtp", "smtps"]).optional().meta({
    description:
      "Mail server, as smtp://user:password@host:587 or smtps:// for port 465. One on another machine must offer TLS (STARTTLS).",
    secret: true,
  }),
  EMAIL_FROM: format(
    (text) => (isSender(text) ? text : undefined),
    "is not a sender: write noreply@example.com or Name <noreply@example.com>",
  )
    .optional()
    .meta({ description: "Sender of all mail." }),
  PASSWORD_BREACH_CHECK: flag().optional().meta({
    description:
      "Whether new passwords are looked up in known data breaches. When unset: yes in production and where PASSWORD_BREACH_API_BASE is set, else no.",
  }),
  PASSWORD_BREACH_API_BASE: apiBase()
    .optional()
    .meta({ description: `Address of the breach API, by default ${BREACH_API}.` }),
};

type AccountValues = z.output<z.ZodObject<typeof accountVariables>>;

function listMissing(pair: Partial<Record<keyof AccountValues, string | undefined>>): string[] {
  const missing = Object.entries(pair).flatMap(([name, value]) => (value ? [] : [name]));
  return missing.length === 1 ? missing : [];
}

function buildOauth(values: AccountValues): OauthEnv {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = values;
  return {
    github:
      GITHUB_CLIENT_ID && GITHUB_CLIENT_SECRET
        ? {
            clientId: GITHUB_CLIENT_ID,
            clientSecret: GITHUB_CLIENT_SECRET,
            oauthBase: values.GITHUB_OAUTH_BASE,
            apiBase: values.GITHUB_API_BASE,
          }
        : null,
    google:
      GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
        ? {
            clientId: GOOGLE_CLIENT_ID,
            clientSecret: GOOGLE_CLIENT_SECRET,
            oauthBase: values.GOOGLE_OAUTH_BASE ?? null,
          }
        : null,
  };
}

/** If only half of a pair is set, `incomplete` names the other half, and the feature is off. */
export function buildAccounts(values: AccountValues): {
  accounts: AccountsEnv;
  incomplete: Record<"github" | "google" | "turnstile" | "email", string[]>;
} {
  const { GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = values;
  const { NEXT_PUBLIC_TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY, SMTP_URL, EMAIL_FROM } = values;
  const turnstileApi = values.TURNSTILE_API_BASE ?? TURNSTILE_API;
  return {
    accounts: {
      oauth: buildOauth(values),
      turnstile:
        NEXT_PUBLIC_TURNSTILE_SITE_KEY && TURNSTILE_SECRET_KEY
          ? {
              siteKey: NEXT_PUBLIC_TURNSTILE_SITE_KEY,
              secretKey: TURNSTILE_SECRET_KEY,
              apiBase: turnstileApi,
            }
          : null,
      email: SMTP_URL && EMAIL_FROM ? { smtpUrl: SMTP_URL, from: EMAIL_FROM } : null,
    },
    incomplete: {
      github: listMissing({ GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET }),
      google: listMissing({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }),
      turnstile: listMissing({ NEXT_PUBLIC_TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY }),
      email: listMissing({ SMTP_URL, EMAIL_FROM }),
    },
  };
}

/** URL of the breach API without a trailing slash; null if new passwords are not checked against it. */
export function findBreachApi(values: AccountValues, nodeEnv: string): string | null {
  const { PASSWORD_BREACH_CHECK, PASSWORD_BREACH_API_BASE } = values;
  const byDefault = nodeEnv === "production" || PASSWORD_BREACH_API_BASE !== undefined;
  return (PASSWORD_BREACH_CHECK ?? byDefault) ? (PASSWORD_BREACH_API_BASE ?? BREACH_API) : null;
}
