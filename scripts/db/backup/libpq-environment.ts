import { existsSync } from "node:fs";
import { type DatabaseTls, hostOf, readDatabaseTls } from "../../preflight/database-tls";

type Variables = Record<string, string>;

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

/** Variables of libpq that a URL's own parts replace, or that would win over them. */
const REPLACED = ["PGSERVICE", "PGSERVICEFILE", "PGSSLMODE", "PGSSLROOTCERT", "PGHOSTADDR"];

/**
 * Returns the environment in which PostgreSQL's own programs connect to `databaseUrl` as the driver
 * does. They refuse parameters that are Prisma's or the driver's (`pgbouncer`, `sslmode=no-verify`), and
 * read some modes as a weaker protection. In the environment, and not in the arguments, the password is
 * hidden from other users. `major` is the programs' version.
 */
export function libpqEnvironment(
  databaseUrl: string,
  major: number,
  environment: Record<string, string | undefined> = process.env,
): Variables {
  const url = new URL(databaseUrl);
  const parameter = (name: string) => url.searchParams.get(name) ?? "";
  const kept = Object.entries(environment).filter(([name]) => !REPLACED.includes(name));
  return withoutEmpty({
    ...Object.fromEntries(kept),
    PGHOST: hostOf(databaseUrl).replace(/^\[(.*)\]$/, "$1") || environment.PGHOST,
    PGPORT: parameter("port") || url.port || environment.PGPORT,
    PGUSER: decodeURIComponent(url.username) || parameter("user") || environment.PGUSER,
    PGPASSWORD: decodeURIComponent(url.password) || parameter("password") || environment.PGPASSWORD,
    PGDATABASE: databaseOf(databaseUrl),
    PGOPTIONS: parameter("options"),
    PGSSLCERT: parameter("sslcert"),
    PGSSLKEY: parameter("sslkey"),
    PGCONNECT_TIMEOUT: "10",
    ...tlsOf(databaseUrl, major),
  });
}

/** Returns the name of the database that the URL leads to. */
export function databaseOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
}

function tlsOf(databaseUrl: string, major: number): Record<string, string | undefined> {
  const tls = readDatabaseTls(databaseUrl);
  const own = new URL(databaseUrl).searchParams.get("sslrootcert") ?? "";
  if (own || tls === "none" || tls === "unverified")
    return { PGSSLMODE: SSLMODES[tls], PGSSLROOTCERT: own };
  const system = major >= KNOWS_SYSTEM ? "system" : AUTHORITIES.find((file) => existsSync(file));
  // `system` goes with this mode only.
  return { PGSSLMODE: "verify-full", PGSSLROOTCERT: system };
}

function withoutEmpty(variables: Record<string, string | undefined>): Variables {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
