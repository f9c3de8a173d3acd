import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type DatabaseTls, isSocketUrl, readDatabaseTls } from "./database-tls";

/** Stands for a certificate: the driver reads the file but doesn't parse it yet. */
const FILE = encodeURIComponent(import.meta.filename);

const URLS = [
  "",
  "?sslmode=disable",
  "?sslmode=allow",
  "?sslmode=prefer",
  "?sslmode=require",
  "?sslmode=verify-ca",
  "?sslmode=verify-full",
  "?sslmode=no-verify",
  "?ssl=true",
  "?ssl=1",
  "?ssl=0",
  "?ssl=no-verify",
  "?ssl=0&sslmode=require",
  "?sslnegotiation=direct",
  `?sslrootcert=${FILE}`,
  "?uselibpqcompat=true&sslmode=disable",
  "?uselibpqcompat=true&sslmode=prefer",
  "?uselibpqcompat=true&sslmode=require",
  `?uselibpqcompat=true&sslmode=require&sslrootcert=${FILE}`,
  `?uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${FILE}`,
  "?uselibpqcompat=true&sslmode=verify-full",
  "?pgbouncer=true",
].map((query) => `postgres://app:word@db.internal:5432/app${query}`);

beforeAll(() => {
  // The driver warns once per process that three of the modes will change.
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  return () => {
    process.emitWarning = emitWarning;
  };
});

/** Asks the driver itself what it would do. */
function driverTls(connectionString: string): DatabaseTls {
  const { ssl }: { ssl: unknown } = new pg.Client({ connectionString });
  if (!ssl) return "none";
  if (ssl === true) return "full";
  const options = ssl as { rejectUnauthorized?: boolean; checkServerIdentity?: unknown };
  if (options.rejectUnauthorized === false) return "unverified";
  return options.checkServerIdentity ? "ca" : "full";
}

test.each(URLS)("%s is read as the driver reads it", (url) => {
  const { PGSSLMODE } = process.env;
  delete process.env.PGSSLMODE;
  onTestFinished(() => {
    if (PGSSLMODE !== undefined) process.env.PGSSLMODE = PGSSLMODE;
  });
  expect(readDatabaseTls(url)).toBe(driverTls(url));
});

test.each([
  ["postgres:///app", true],
  ["postgres://app@%2Fvar%2Frun%2Fpostgresql/app", true],
  ["postgres://app@db.internal/app?host=/var/run/postgresql", true],
  ["postgres://app@db.internal/app", false],
])("%s leads to a socket of this machine: %s", (url, expected) => {
  expect(isSocketUrl(url)).toBe(expected);
});
