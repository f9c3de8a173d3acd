import { type Database, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { handleCrossing } from "~/models/metering/handle-crossing.server";
import { log } from "~/utils/logger.server";

/** Minutes that a crossing's own job has, with all of its attempts. */
const OWN_MINUTES = 10;

/** SQL condition: a crossing whose job failed for good, or was never done. One that waits for the end of a top-up is left to it. */
export const IS_UNTOLD = Prisma.sql`told_at IS NULL
  AND crossings.created_at < now() - make_interval(mins => ${OWN_MINUTES})
  AND NOT (watcher = 'top_up' AND EXISTS (
    SELECT FROM top_ups
    WHERE top_ups.account_id = crossings.account_id AND status IN ('claimed', 'asked', 'unknown')))`;

/** Tells watchers of crossings that no job has told of. Returns how many were looked at. */
export async function tellUntold(
  { limit }: { limit: number },
  db: Database = getDb(),
): Promise<number> {
  // By chance, so that those that fail again hold up no others.
  const rows = await db.$queryRaw<{ crossingId: string }[]>`
    SELECT id AS "crossingId" FROM crossings WHERE ${IS_UNTOLD} ORDER BY random() LIMIT ${limit}`;
  for (const row of rows) {
    try {
      await db.$transaction((transaction) => handleCrossing(row, transaction));
    } catch (error) {
      log().warn({ err: error, ...row }, "a crossing can't be told yet");
    }
  }
  return rows.length;
}
