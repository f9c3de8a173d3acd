import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { withAudit } from "~/models/audit/audit-log.server";

// Rows for what operators change outside the tables: it is done when its row is written.

/** Notes that the customer portal was configured at its provider. */
export function recordPortal(
  { actor, configuration, status }: { actor: string; configuration: string; status: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const subject = `stripe:portal ${configuration}`;
  const entry = { actor, action: "portal_configured", subject, after: { status } } as const;
  return withAudit(async () => ({ result: undefined, entry }), db);
}

/** Notes which migrations were applied, or recorded as applied. */
export function recordMigrations(
  { actor, names, how }: { actor: string; names: string[]; how: "applied" | "recorded" },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const entry = { actor, action: "database_migrated", after: { [how]: names } } as const;
  return withAudit(async () => ({ result: undefined, entry }), db);
}

/** Notes in a restored database that it was. */
export function recordRestore(
  { actor, backedUpAt }: { actor: string; backedUpAt: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const entry = { actor, action: "database_restored", after: { backedUpAt } } as const;
  return withAudit(async () => ({ result: undefined, entry }), db);
}
