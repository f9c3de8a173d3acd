import { buildEnv, type Env } from "~/env/environment";
import { isLocalHost } from "~/env/formats";
import { type EnvironmentFault, readEnvironment } from "~/env/read-environment";
import { environmentSchema, listVariables } from "~/env/variables";
import { type Finding, toFinding } from "./check";
import type { CheckId } from "./check-ids";
import { findMisspellings, type Misspelling } from "./misspellings";

/** Replaces a required value that is invalid, so that the rest can still be checked. */
const STAND_INS = {
  DATABASE_URL: "postgres://unset.invalid/unset",
  AUTH_SECRET: "-".repeat(32),
  NEXT_PUBLIC_SITE_URL: "https://unset.invalid",
};

/** The readable part of the environment, and all its faults. */
export interface Configuration {
  /** Malformed values count as unset here; they are in `faults`. */
  env: Omit<Env, "databaseUrl" | "authSecret" | "siteUrl"> & {
    databaseUrl: string | null;
    authSecret: string | null;
    siteUrl: URL | null;
  };
  /** The values that are set, by variable name. */
  texts: Record<string, string>;
  faults: EnvironmentFault[];
  /** Set names that look like misspelt variables. */
  unknown: Misspelling[];
  /** Example values of secrets in the project's own files. */
  publishedSecrets: ReadonlySet<string>;
  /** Localhost addresses and the sandbox's open bucket only warn. Never true for a site with a public address. */
  isRehearsal: boolean;
}

/** Reads a valid or invalid configuration. Never throws. */
export function readConfiguration(
  source: Record<string, string | undefined>,
  publishedSecrets: ReadonlySet<string> = new Set(),
  rehearsal = false,
): Configuration {
  const { texts, faults } = readEnvironment(source);
  const malformed = new Set(faults.map(({ variable }) => variable));
  const sound = Object.fromEntries(Object.entries(texts).filter(([name]) => !malformed.has(name)));
  const env = buildEnv(environmentSchema.parse({ ...STAND_INS, ...sound }));
  return {
    env: {
      ...env,
      databaseUrl: sound.DATABASE_URL ? env.databaseUrl : null,
      authSecret: sound.AUTH_SECRET ? env.authSecret : null,
      siteUrl: sound.NEXT_PUBLIC_SITE_URL ? env.siteUrl : null,
    },
    texts,
    faults,
    unknown: findMisspellings(Object.keys(source).filter((name) => source[name]?.trim())),
    publishedSecrets,
    isRehearsal:
      rehearsal && sound.NEXT_PUBLIC_SITE_URL !== undefined && isLocalHost(env.siteUrl.hostname),
  };
}

/** Returns the check that an environment fault belongs to; every fault has one. */
export function checkOf({ rule, variable }: EnvironmentFault): CheckId {
  if (rule === "aliases") return "env.aliases";
  if (rule === "storage") return "storage.settings";
  if (rule === "sandbox") return "env.sandbox-keys";
  const name = variable ?? "";
  for (const [pattern, id] of CHECKS) if (pattern.test(name)) return id;
  const group = listVariables().find((known) => known.name === name)?.group;
  return (group && GROUP_CHECKS[group]) ?? "env.service";
}

const GROUP_CHECKS: Partial<Record<string, CheckId>> = {
  storage: "storage.settings",
  images: "images.provider",
  text: "text.provider",
};

const CHECKS: [RegExp, CheckId][] = [
  [/^(DIRECT_)?DATABASE_URL$/, "env.database-url"],
  [/^AUTH_SECRET$/, "env.auth-secret"],
  [/^NEXT_PUBLIC_SITE_URL$/, "env.site-url"],
  [/^(HOST|TRUST_PROXY(_HOST)?)$/, "env.proxy"],
  [/^SECURITY_CONTACT$/, "env.security-contact"],
  [/^SUPPORT_(EMAIL|URL)$/, "site.support"],
  [/^SELLER_/, "site.seller"],
  [/^CRON_SECRET$/, "cron.secret"],
  [/^METRICS_SECRET$/, "metrics.secret"],
  [/^(NEXT_PUBLIC_ENABLE_PAYMENTS|PAYMENTS_PROVIDER)$/, "payments.provider"],
  [/^PROVIDER_(A_PRICE|B_PRODUCT)_/, "payments.prices"],
  [/^(NEXT_PUBLIC_)?PROVIDER_[AB]_/, "payments.keys"],
  [/^GITHUB_/, "signin.github"],
  [/^GOOGLE_/, "signin.google"],
  [/TURNSTILE_/, "bot-challenge.keys"],
  [/^(SMTP_URL|EMAIL_FROM)$/, "email.settings"],
];

/** Returns the environment's faults that belong to a check. */
export function findingsOf({ faults }: Configuration, id: CheckId): Finding[] {
  return faults.filter((one) => checkOf(one) === id).map(({ text }) => toFinding("fail", text));
}

/** Returns the `names` that are unset; a malformed one is already reported. */
export function withoutMalformed({ faults }: Configuration, names: string[]): string[] {
  const malformed = new Set(faults.map(({ variable }) => variable));
  return names.filter((name) => !malformed.has(name));
}
