import { MigrationError } from "./migration-error";
import { expectsPooler, readPooling } from "./pooler";

const REMEDY =
  "set DIRECT_DATABASE_URL to PostgreSQL's own address (docs/more-than-one-process.md)";

/**
 * Throws MigrationError `pooled` if a pooler lends the database per transaction. The lock of a migration
 * run would stay in a connection of the pool, and every later run would wait for it. A database that
 * can't be reached is left to the next step.
 */
export async function requireDirect(databaseUrl: string): Promise<void> {
  if (expectsPooler(databaseUrl))
    throw new MigrationError(
      "pooled",
      `the address has pgbouncer=true, so it leads through a pooler, where the lock of this run would be left behind: ${REMEDY}`,
    );
  const reading = await readPooling(databaseUrl).catch(() => null);
  if (reading?.pooling === "transaction")
    throw new MigrationError(
      "pooled",
      `the address leads through a pooler in transaction mode, where the lock of this run would be left behind: ${REMEDY}`,
    );
}
