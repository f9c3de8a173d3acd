import { buildEnv } from "~/env/environment";
import { environmentSchema } from "~/env/variables";
import {
  type AddressSettings,
  DRIVERS,
  FINISHED_PICTURES,
  type Listed,
  PURPOSES,
} from "~/services/outgoing/purposes.server";

/** The document that holds the list, between two comments. */
export const SECURITY_DOC = "docs/security.md";

const BEGIN =
  "<!-- Written by `npm run validate:docs -- --write` from app/services/outgoing/purposes.server.ts: -->";
const END = "<!-- until here. -->";

const MIB = 1024 * 1024;

/** Required values, and the keys without which a feature is off and calls nobody. */
const EVERYTHING_ON = {
  DATABASE_URL: "postgres://unset.invalid/unset",
  AUTH_SECRET: "-".repeat(32),
  NEXT_PUBLIC_SITE_URL: "https://unset.invalid",
  GITHUB_CLIENT_ID: "id",
  GITHUB_CLIENT_SECRET: "secret",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "secret",
  NEXT_PUBLIC_TURNSTILE_SITE_KEY: "key",
  TURNSTILE_SECRET_KEY: "secret",
  PASSWORD_BREACH_CHECK: "true",
  PROVIDER_A_SECRET_KEY: "sk_live_1",
};
/** Creem's address follows its key. */
const CREEM_KEYS = ["creem_1", "creem_test_1"];

const SETTINGS = CREEM_KEYS.map(
  (key): AddressSettings =>
    buildEnv(environmentSchema.parse({ ...EVERYTHING_ON, PROVIDER_B_API_KEY: key })),
);

/** Returns the document with the list as the code has it. */
export function withOutboundList(text: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${SECURITY_DOC} lacks the line "${BEGIN}"`);
  return `${text.slice(0, begin)}${BEGIN}\n\n${renderList()}\n\n${text.slice(end)}`;
}

function renderList(): string {
  const { site, portal, ...services } = PURPOSES;
  const { mail, database } = DRIVERS;
  const { bytes, seconds, redirects } = FINISHED_PICTURES;
  const row = (listed: Listed, address: string, limits: string) =>
    `| ${[listed.to, address, listed.why, limits].join(" | ")} |`;
  const called = (purpose: (typeof PURPOSES)[keyof typeof PURPOSES]) => {
    const time =
      typeof purpose.seconds === "number" ? `${purpose.seconds} s` : `\`${purpose.seconds}\``;
    return row(purpose, addressOf(purpose), `${purpose.bytes / MIB} MiB, ${time}`);
  };
  return [
    "| To | Address | Why | Longest response and call |",
    "| --- | --- | --- | --- |",
    row(database, addressOf(database), "–"),
    row(mail, addressOf(mail), "–"),
    ...Object.values(services).map(called),
    row(
      FINISHED_PICTURES,
      "any public one",
      `${bytes / MIB} MiB, ${seconds} s, ${redirects} redirects`,
    ),
    called(site),
    called(portal),
  ].join("\n");
}

/** The variables, and the hosts that they name while they are unset. */
function addressOf({
  variables,
  bases,
}: Listed & { bases?(of: AddressSettings): readonly string[] }) {
  const hosts = new Set(
    SETTINGS.flatMap((settings) => bases?.(settings) ?? []).map((base) => new URL(base).host),
  );
  hosts.delete("unset.invalid");
  const code = (text: string) => `\`${text}\``;
  const names = variables.map(code).join(", ");
  const defaults = [...hosts].map(code).join(", ");
  return names && defaults ? `${names} (${defaults})` : names || defaults;
}
