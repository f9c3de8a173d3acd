import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { withAudit } from "~/models/audit/audit-log.server";

/** Notes that an admin looked at the key figures as of a day, or took one of them with them as a file. */
export function noteFigures(
  { actor, day, figure }: { actor: string; day: string; figure?: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<void> {
  const after = { day, ...(figure ? { figure } : {}) };
  const entry = { actor, action: "figures_viewed", after } as const;
  return withAudit(async () => ({ result: undefined, entry }), db);
}
