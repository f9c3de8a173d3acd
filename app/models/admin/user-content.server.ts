import { type Database, getDb } from "~/db.server";
import { getSupportUntil } from "~/models/accounts/support-access.server";
import { listUsage } from "~/models/accounts/usage.server";
import { withAudit } from "~/models/audit/audit-log.server";
import { accountOf } from "~/models/metering/runs.server";

interface Look {
  actor: string;
  userId: string;
  /** The id of the previous page's last run; null for the newest. */
  cursor: string | null;
}

/**
 * Reads what a person asked for, newest first, if they let the support look at it now, and notes each look. Null if they don't,
 * and then nothing is noted. The permission is read under the person's lock: who ends it is obeyed from then on.
 */
export async function lookAtContent({ actor, userId, cursor }: Look, db: Database = getDb()) {
  const until = await withAudit(async (transaction) => {
    await transaction.$queryRaw`
      SELECT 1 AS locked FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
    const allowed = await getSupportUntil(userId, transaction);
    const entry = { actor, action: "content_viewed", subjectUserId: userId } as const;
    return { result: allowed, entry: allowed ? entry : null };
  }, db);
  if (!until) return null;
  const query = { accountId: accountOf({ id: userId }), action: null, cursor };
  return { until, ...(await listUsage(query, db)) };
}
