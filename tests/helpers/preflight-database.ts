import type { Check } from "../../scripts/preflight/check";
import { readConfiguration } from "../../scripts/preflight/configuration";
import { checkDatabase } from "../../scripts/preflight/database-checks";
import { REQUIRED, type Source } from "../fixtures/preflight";
import { openSession } from "./migrations";
import { createTestDatabase } from "./test-database";

/** Runs the checks of a database. */
export async function check(databaseUrl: string, source: Source = {}): Promise<Check[]> {
  const configuration = readConfiguration({ ...REQUIRED, ...source, DATABASE_URL: databaseUrl });
  return checkDatabase(configuration, {
    migrationsFolder: "prisma/migrations",
    isSkipped: () => false,
  });
}

/** Runs the statements on a migrated database, then the checks. Returns what failed or warned. */
export async function judge(statements: string[], source?: Source) {
  const databaseUrl = await createTestDatabase();
  const session = await openSession(databaseUrl);
  for (const sql of statements) await session.query(sql);
  const checks = await check(databaseUrl, source);
  return {
    fails: checks.filter(({ status }) => status === "fail").map(({ id }) => id),
    warns: checks.filter(({ status }) => status === "warn").map(({ id }) => id),
    messageOf: (id: string) => checks.find((one) => one.id === id)?.message,
    statusOf: (id: string) => checks.find((one) => one.id === id)?.status,
  };
}

/** Replaces a migrated table with only the columns that the check reads. */
export const standIn = (table: string, columns: string) => [
  `DROP TABLE IF EXISTS ${table} CASCADE`,
  `CREATE TABLE ${table} (${columns})`,
];

export const SUBSCRIPTIONS = standIn(
  "subscriptions",
  "provider text, provider_subscription_id text, status text, created_at timestamptz, user_id uuid, cancel_at_period_end bool, provider_price_id text, UNIQUE (provider, provider_subscription_id)",
);
