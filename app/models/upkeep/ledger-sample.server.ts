import { type Database, getDb } from "~/db.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { log } from "~/utils/logger.server";

/** An account with more rows than this is left to `npm run ledger -- verify`. */
const MOST_ROWS = 5_000;

/**
 * Checks the ledger of some accounts: those that moved last, and as many by chance, so that a fault anywhere is found
 * sooner or later, and one that a new release makes within minutes. Returns the number of faults, and logs each.
 */
export async function sampleLedger(
  { accounts }: { accounts: number },
  db: Database = getDb(),
): Promise<number> {
  const half = Math.ceil(accounts / 2);
  const sampled = await db.$queryRaw<{ userId: string }[]>`
    WITH newest AS (
      SELECT user_id FROM credit_transactions ORDER BY id DESC LIMIT ${half}
    ), drawn AS (
      SELECT user_id FROM credit_accounts WHERE user_id >= (SELECT gen_random_uuid())
      ORDER BY user_id LIMIT ${half}
    ), few AS (
      SELECT user_id FROM credit_accounts ORDER BY user_id LIMIT ${half}
    )
    SELECT user_id AS "userId" FROM (
      SELECT user_id FROM newest UNION SELECT user_id FROM drawn
      UNION SELECT user_id FROM few WHERE (SELECT count(*) FROM drawn) < ${half}
    ) AS chosen
    WHERE NOT EXISTS (
      SELECT 1 FROM credit_transactions WHERE user_id = chosen.user_id OFFSET ${MOST_ROWS})`;
  const userIds = sampled.map(({ userId }) => userId);
  const { faults } = await auditLedger(
    {
      userIds,
      onFault: (fault) =>
        log().error({ ...fault }, "the ledger has a fault: npm run ledger -- verify"),
    },
    db,
  );
  return faults;
}
