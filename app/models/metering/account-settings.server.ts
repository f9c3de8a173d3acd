import { type Database, type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import { ensureAccount } from "~/models/credits/accounts.server";
import { unmuteEmail } from "~/models/emails/preferences.server";

export interface AccountLimits {
  /** Credits that all runs may cost in a month (UTC); null for no limit. */
  limit: number | null;
  /** Credits that this month's runs cost so far. */
  used: number;
  resetsAt: Date;
  /** Below so many credits the owner wants an email; null for none. */
  lowBalance: number | null;
}

/** Returns the settings of an account's owner, and how much of the month's limit is used. */
export async function getAccountLimits(
  accountId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<AccountLimits> {
  const [row] = await db.$queryRaw<AccountLimits[]>`
    SELECT monthly_limit AS "limit", low_balance_credits AS "lowBalance",
      coalesce((
        SELECT credits::int FROM usage_months
        WHERE account_id = ${accountId}::uuid AND api_key_id IS NULL AND usage_months.month = this.month), 0) AS used,
      month + interval '1 month' AS "resetsAt"
    FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS month) AS this
      LEFT JOIN account_settings ON account_id = ${accountId}::uuid`;
  if (!row) throw new Error("the limits gave no row");
  return row;
}

/** Sets the monthly limit of an account, in credits; null takes it away. Runs that go on aren't touched. */
export function setAccountLimit(
  { accountId, limit }: { accountId: string; limit: number | null },
  db: Database = getDb(),
): Promise<void> {
  return db.$transaction((transaction) =>
    setSettings({ accountId, settings: { monthlyLimit: limit } }, transaction),
  );
}

/**
 * Sets the credits below which the owner wants an email; null for none. Whoever asks for it has these emails turned on
 * again.
 */
export function setLowBalance(
  { accountId, credits }: { accountId: string; credits: number | null },
  db: Database = getDb(),
): Promise<void> {
  return db.$transaction(async (transaction) => {
    // A person's account has the person's id.
    if (credits !== null)
      await unmuteEmail({ userId: accountId, kind: "low_balance" }, transaction);
    await setSettings({ accountId, settings: { lowBalanceCredits: credits } }, transaction);
  });
}

async function setSettings(
  {
    accountId,
    settings,
  }: {
    accountId: string;
    settings: { monthlyLimit: number | null } | { lowBalanceCredits: number | null };
  },
  transaction: Transaction,
): Promise<void> {
  await ensureAccount(accountId, transaction);
  await transaction.accountSettings.upsert({
    where: { accountId },
    create: { accountId, ...settings },
    update: settings,
    select: { accountId: true },
  });
}
