import { existsSync } from "node:fs";
import { type DatabaseTls, hostOf, readDatabaseTls } from "../../preflight/database-tls";

type Variables = Record<string, string | undefined>;

/** libpq's word for what the driver does with the same address. */
const SSLMODES: Record<DatabaseTls, string> = {
  none: "disable",
  unverified: "require",
  ca: "verify-ca",
  full: "verify-full",
};

/** libpq 16 finds the system's authorities by itself. Older ones need the file. */
const KNOWS_SYSTEM = 16;
const AUTHORITIES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
];

/** Variables of a shell that would win over the URL, or weaken it. */
const UNSET = ["PGSERVICE", "PGSERVICEFILE", "PGHOSTADDR", "PGSSLMODE", "PGSSLROOTCERT"];

/**
 * Returns the variables with which PostgreSQL's own programs connect to `databaseUrl` as the driver does;
 * undefined for those to unset. They refuse parameters that are Prisma's or the driver's (`pgbouncer`,
 * `sslmode=no-verify`), and read some modes as a weaker protection. In the environment, and not in the
 * arguments, the password is hidden from other users. `major` is the programs' version.
 */
export function libpqEnvironment(databaseUrl: string, major: number): Variables {
  const url = new URL(databaseUrl);
  const parameter = (name: string) => url.searchParams.get(name) ?? "";
  return {
    ...Object.fromEntries(UNSET.map((name) => [name, undefined])),
    ...withoutEmpty({
      PGHOST: hostOf(databaseUrl).replace(/^\[(.*)\]$/, "$1"),
      PGPORT: parameter("port") || url.port,
      PGUSER: decodeURIComponent(url.username) || parameter("user"),
      PGPASSWORD: decodeURIComponent(url.password) || parameter("password"),
      PGDATABASE: databaseOf(databaseUrl),
      PGOPTIONS: parameter("options"),
      PGSSLCERT: parameter("sslcert"),
      PGSSLKEY: parameter("sslkey"),
      PGCONNECT_TIMEOUT: "10",
      ...tlsOf(databaseUrl, major),
    }),
  };
}

/** Returns the name of the database that the URL leads to. */
export function databaseOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
}

function tlsOf(databaseUrl: string, major: number): Variables {
  const tls = readDatabaseTls(databaseUrl);
  const own = new URL(databaseUrl).searchParams.get("sslrootcert") ?? "";
  if (own || tls === "none" || tls === "unverified")
    return { PGSSLMODE: SSLMODES[tls], PGSSLROOTCERT: own };
  const system = major >= KNOWS_SYSTEM ? "system" : AUTHORITIES.find((file) => existsSync(file));
  // `system` goes with this mode only.
  return { PGSSLMODE: "verify-full", PGSSLROOTCERT: system };
}

function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
}
