import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";

/**
 * SQL: whether a row of `top_ups`, named `counted`, counts in this calendar month (UTC): it was asked for in it, and was paid or
 * may be. Amounts of another currency than the owner's maximum don't count: the owner has agreed to a new one since.
 */
export const countsIn = (currency: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  counted.status IN ('asked', 'unknown', 'paid') AND counted.currency = ${currency}
  AND date_trunc('month', counted.asked_at AT TIME ZONE 'UTC') = date_trunc('month', now() AT TIME ZONE 'UTC'))`;

/** SQL: whether a row of `top_ups`, named `top_up`, wasn't asked for yet, or in this calendar month (UTC), in which it counts. */
export const IS_OF_THIS_MONTH = Prisma.sql`((date_trunc('month', top_up.asked_at AT TIME ZONE 'UTC')
  = date_trunc('month', now() AT TIME ZONE 'UTC')) IS NOT FALSE)`;

/**
 * Returns the sum that top-ups of this calendar month (UTC) took or may have taken, in minor units of the agreed currency, and the
 * month's end.
 */
export async function sumOfMonth(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ spent: number; endsAt: Date }> {
  const [sum] = await db.$queryRaw<{ spent: number; endsAt: Date }[]>`
    SELECT (
        SELECT coalesce(sum(amount), 0)::float8
        FROM top_ups counted JOIN account_settings settings USING (account_id)
        WHERE account_id = ${accountId}::uuid AND ${countsIn(Prisma.sql`settings.agreed_currency`)}) AS spent,
      (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' AS "endsAt"`;
  if (!sum) throw new Error("the month gave no row");
  return sum;
}
