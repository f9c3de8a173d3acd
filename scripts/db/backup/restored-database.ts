import { auditLedger } from "~/models/upkeep/audit.server";
import { withDatabase } from "../../lib/with-database";
import { withConnection } from "../connect";
import { getMigrationStatus } from "../migration-status";
import { databaseOf } from "./libpq-environment";

/** Throws unless the database exists, is the role's own to write into, and holds nothing. */
export async function requireEmpty(databaseUrl: string): Promise<void> {
  const database = databaseOf(databaseUrl);
  const { rows } = await withConnection(databaseUrl, (client) =>
    client.query<{ things: number; mayCreate: boolean; role: string }>(
      `SELECT has_schema_privilege('public', 'CREATE') AS "mayCreate", current_user AS role, (
         SELECT count(*) FROM pg_class JOIN pg_namespace space ON space.oid = relnamespace
         WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\\_%'
       )::int + (
         SELECT count(*) FROM pg_type JOIN pg_namespace space ON space.oid = typnamespace
         WHERE nspname = 'public'
       )::int AS things`,
    ),
  );
  const { things = 0, mayCreate = false, role = "" } = rows[0] ?? {};
  if (things > 0)
    throw new Error(
      `the database ${database} is not empty: restore into a new one (docs/backups.md); nothing was changed`,
    );
  if (!mayCreate)
    throw new Error(
      `${role} does not own the database ${database}: as a superuser, ALTER DATABASE ${database} OWNER TO ${role}`,
    );
}

/**
 * Compares the restored database with the code's migrations, and verifies the ledger unless migrations
 * are pending. Prints the results. `faults` counts what is wrong.
 */
export async function checkRestored({
  databaseUrl,
  folder,
  print,
}: {
  databaseUrl: string;
  folder: string;
  print(line: string): void;
}): Promise<{ faults: number; isVerified: boolean }> {
  // Until then, the planner knows nothing of the restored tables.
  await withConnection(databaseUrl, (client) => client.query("ANALYZE"));
  const { applied, pending, changed, missing } = await getMigrationStatus(databaseUrl, folder);
  print(
    `migrations: ${applied.length} applied, ${pending.length} pending, ${changed.length} changed, ${missing.length} missing`,
  );
  for (const { name } of [...changed, ...missing])
    print(`  ${name} is not this code's: deploy the code that has it`);
  const strange = changed.length + missing.length;
  if (pending.length > 0) return { faults: strange, isVerified: false };
  const { accounts, faults } = await withDatabase(
    (db) =>
      auditLedger(
        { onFault: ({ rule, userId, detail }) => print(`  ${rule}  user ${userId}  ${detail}`) },
        db,
      ),
    databaseUrl,
  );
  print(
    `ledger: ${accounts} accounts checked, ${faults === 0 ? "no faults" : `faults: ${faults}`}`,
  );
  return { faults: strange + faults, isVerified: true };
}
