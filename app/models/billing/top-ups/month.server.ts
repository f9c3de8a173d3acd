import { type DatabaseOrTransaction, getDb } from "~/db.server";

/** Returns the sum that top-ups of this calendar month (UTC) took or may have taken, in minor units, and the month's end. */
export async function sumOfMonth(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ spent: number; endsAt: Date }> {
  const [sum] = await db.$queryRaw<{ spent: number; endsAt: Date }[]>`
    SELECT (
        SELECT coalesce(sum(amount), 0)::float8 FROM top_ups
        WHERE account_id = ${accountId}::uuid AND status IN ('asked', 'unknown', 'paid')
          AND asked_at >= first AT TIME ZONE 'UTC') AS spent,
      (first + interval '1 month') AT TIME ZONE 'UTC' AS "endsAt"
    FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') AS first) AS month`;
  if (!sum) throw new Error("the month gave no row");
  return sum;
}
