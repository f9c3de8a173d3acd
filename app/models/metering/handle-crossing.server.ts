import type { Transaction } from "~/db.server";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { claimTopUp } from "~/models/billing/top-ups/attempts.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { getBalance } from "~/models/credits/balance.server";
import { queueEmail } from "~/models/emails/outbox.server";
import { BALANCE_MARKS, type BalanceWatcher } from "~/models/metering/crossings.server";
import { tellOfLimit } from "~/models/metering/limit-notices.server";

export interface BalanceCrossing {
  /** New with each crossing. */
  crossingId: string;
  accountId: string;
  /** The owner's threshold, in credits. */
  mark: number;
  /** Spendable credits, fewer than `mark`. */
  balance: number;
}

/** Called once per crossing, in the transaction that ends the job, with the account locked. */
type Watcher = (crossing: BalanceCrossing, transaction: Transaction) => Promise<void>;

const WATCHERS: Record<BalanceWatcher, Watcher> = {
  low_balance: ({ crossingId, accountId, mark, balance }, transaction) =>
    queueEmail(
      {
        kind: "low_balance",
        // A person's account has the person's id.
        userId: accountId,
        data: { crossingId, mark, balance },
        key: `low_balance:${crossingId}`,
      },
      transaction,
    ),
  top_up: claimTopUp,
};

/**
 * Tells the watcher of a crossing, unless a new lot has removed it. Grants that are due are issued first. If the balance
 * is not below the mark any more (a run was refunded, or the mark was lowered), nobody is told, and the mark is armed
 * as before. The same holds for the use of a monthly limit.
 */
export async function handleCrossing(
  { crossingId }: { crossingId: string },
  transaction: Transaction,
): Promise<void> {
  const where = { id: crossingId };
  const found = await transaction.crossing.findUnique({ where });
  if (!found) return;
  const { accountId, month } = found;
  if (month === null) await issueGrantsOf(accountId, transaction);
  await lockAccount(accountId, transaction);
  if (!(await transaction.crossing.findUnique({ where, select: { id: true } }))) return;
  const isTold =
    month === null
      ? await tellOfBalance(found, transaction)
      : await tellOfLimit({ ...found, month }, transaction);
  if (!isTold) await transaction.crossing.deleteMany({ where });
}

async function tellOfBalance(
  { id: crossingId, accountId, watcher }: { id: string; accountId: string; watcher: string },
  transaction: Transaction,
): Promise<boolean> {
  // Of a version after this one, or before.
  if (!isBalanceWatcher(watcher)) return false;
  const [settings] = await transaction.$queryRaw<{ mark: number | null }[]>`
    SELECT ${BALANCE_MARKS[watcher]} AS mark FROM account_settings settings
    WHERE account_id = ${accountId}::uuid`;
  const mark = settings?.mark ?? null;
  const balance = await getBalance(accountId, transaction);
  if (mark === null || balance >= mark) return false;
  await WATCHERS[watcher]({ crossingId, accountId, mark, balance }, transaction);
  return true;
}

const isBalanceWatcher = (watcher: string): watcher is BalanceWatcher =>
  Object.hasOwn(BALANCE_MARKS, watcher);
