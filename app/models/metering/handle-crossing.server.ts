import type { Transaction } from "~/db.server";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { claimTopUp } from "~/models/billing/top-ups/attempts.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { getBalance } from "~/models/credits/balance.server";
import { queueEmail } from "~/models/emails/outbox.server";
import { BALANCE_MARKS, type BalanceWatcher } from "~/models/metering/crossings.server";
import { type Told, tellOfLimit } from "~/models/metering/limit-notices.server";

export interface BalanceCrossing {
  /** New with each crossing. */
  crossingId: string;
  accountId: string;
  /** The owner's threshold, in credits. */
  mark: number;
  /** Spendable credits, fewer than `mark`. */
  balance: number;
}

/**
 * Called in the transaction that ends the job, with the account locked. Once it has returned true, it isn't called again for this
 * crossing. False: it can't be told yet, and sees to it that the crossing's job is added again, or maintenance calls it later.
 */
type Watcher = (crossing: BalanceCrossing, transaction: Transaction) => Promise<boolean>;

const WATCHERS: Record<BalanceWatcher, Watcher> = {
  async low_balance({ crossingId, accountId, mark, balance }, transaction) {
    await queueEmail(
      {
        kind: "low_balance",
        // A person's account has the person's id.
        userId: accountId,
        data: { crossingId, mark, balance },
        key: `low_balance:${crossingId}`,
      },
      transaction,
    );
    return true;
  },
  top_up: claimTopUp,
};

/**
 * Tells the watcher of a crossing, once, unless a new lot has removed it. Grants that are due are issued first. If the balance
 * is not below the mark any more (a run was refunded, or the mark was lowered), nobody is told, and the mark is armed
 * as before. The same holds for the use of a monthly limit.
 */
export async function handleCrossing(
  { crossingId }: { crossingId: string },
  transaction: Transaction,
): Promise<void> {
  const where = { id: crossingId, toldAt: null };
  const found = await transaction.crossing.findUnique({ where });
  if (!found) return;
  const { accountId, month } = found;
  if (month === null) await issueGrantsOf(accountId, transaction);
  await lockAccount(accountId, transaction);
  if (!(await transaction.crossing.findUnique({ where, select: { id: true } }))) return;
  const told =
    month === null
      ? await tellOfBalance(found, transaction)
      : await tellOfLimit({ ...found, month }, transaction);
  if (told === "armed") await transaction.crossing.deleteMany({ where });
  if (told === "told")
    await transaction.$executeRaw`UPDATE crossings SET told_at = now() WHERE id = ${crossingId}::uuid`;
}

async function tellOfBalance(
  { id: crossingId, accountId, watcher }: { id: string; accountId: string; watcher: string },
  transaction: Transaction,
): Promise<Told> {
  // Of a version after this one, or before.
  if (!isBalanceWatcher(watcher)) return "armed";
  const [settings] = await transaction.$queryRaw<{ mark: number | null }[]>`
    SELECT ${BALANCE_MARKS[watcher]} AS mark FROM account_settings settings
    WHERE account_id = ${accountId}::uuid`;
  const mark = settings?.mark ?? null;
  const balance = await getBalance(accountId, transaction);
  if (mark === null || balance >= mark) return "armed";
  const isTold = await WATCHERS[watcher]({ crossingId, accountId, mark, balance }, transaction);
  return isTold ? "told" : "waits";
}

const isBalanceWatcher = (watcher: string): watcher is BalanceWatcher =>
  Object.hasOwn(BALANCE_MARKS, watcher);
