import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { ensureAccount } from "~/models/credits/accounts.server";

/** The monthly limit of all runs of an account, and what this month's (UTC) cost so far, in credits. */
export async function getAccountLimit(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<{ limit: number | null; used: number; resetsAt: Date }> {
  const [row] = await db.$queryRaw<{ limit: number | null; used: number; resetsAt: Date }[]>`
    SELECT (SELECT monthly_limit FROM account_settings WHERE account_id = ${accountId}::uuid) AS "limit",
      coalesce((
        SELECT credits::int FROM usage_months
        WHERE account_id = ${accountId}::uuid AND api_key_id IS NULL AND usage_months.month = this.month), 0) AS used,
      month + interval '1 month' AS "resetsAt"
    FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) AS this`;
  if (!row) throw new Error("the limit gave no row");
  return row;
}

/** Sets the monthly limit of an account, in credits; null takes it away. Runs that go on aren't touched. */
export function setAccountLimit(
  { accountId, limit }: { accountId: string; limit: number | null },
  db: Database = getDb(),
): Promise<void> {
  return db.$transaction(async (transaction) => {
    await ensureAccount(accountId, transaction);
    await transaction.accountSettings.upsert({
      where: { accountId },
      create: { accountId, monthlyLimit: limit },
      update: { monthlyLimit: limit },
      select: { accountId: true },
    });
  });
}
