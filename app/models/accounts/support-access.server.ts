import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { withAudit } from "~/models/audit/audit-log.server";

/** Days for which a person lets the support see their prompts, texts and pictures. It ends by itself. */
export const SUPPORT_DAYS = 7;

/** When the support's permission to look ends; null if it has none now. By the database's clock. */
export async function getSupportUntil(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<Date | null> {
  const [row] = await db.$queryRaw<{ until: Date }[]>`
    SELECT support_until AS until FROM users WHERE id = ${userId}::uuid AND support_until > now()`;
  return row?.until ?? null;
}

/** Lets the support look for seven days from now, and notes that the person did. While they may, nothing happens. */
export function allowSupport(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const [row] = await transaction.$queryRaw<{ until: Date }[]>`
      UPDATE users SET support_until = now() + make_interval(days => ${SUPPORT_DAYS}::int)
      WHERE id = ${userId}::uuid AND (support_until > now()) IS NOT TRUE
      RETURNING support_until AS until`;
    if (!row) return { result: false, entry: null };
    const after = { until: row.until.toISOString() };
    const own = { actor: userId, action: "support_allowed", subjectUserId: userId } as const;
    return { result: true, entry: { ...own, after } };
  }, db);
}

/** Ends the permission before its time, and notes it. Without one, nothing happens. */
export function refuseSupport(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  return withAudit(async (transaction) => {
    const ended = await transaction.$executeRaw`
      UPDATE users SET support_until = NULL WHERE id = ${userId}::uuid AND support_until > now()`;
    const entry = { actor: userId, action: "support_refused", subjectUserId: userId } as const;
    return { result: ended > 0, entry: ended > 0 ? entry : null };
  }, db);
}
