import type { Transaction } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { issueGrantsOf } from "~/models/billing/periods/grant-run.server";
import { claimTopUp } from "~/models/billing/top-ups/attempts.server";
import { lockAccount } from "~/models/credits/accounts.server";
import { getBalance } from "~/models/credits/balance.server";
import { queueEmail } from "~/models/emails/outbox.server";
import { BALANCE_MARKS, type BalanceWatcher } from "~/models/metering/crossings.server";

export interface BalanceCrossing {
  /** New with each crossing. */
  crossingId: string;
  accountId: string;
  /** What the owner chose, in credits. */
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
 * as before.
 */
export async function handleCrossing(
  { crossingId }: { crossingId: string },
  transaction: Transaction,
): Promise<void> {
  const found = await transaction.crossing.findUnique({
    where: { id: crossingId },
    select: { accountId: true, watcher: true },
  });
  if (!found) return;
  const { accountId } = found;
  await issueGrantsOf(accountId, transaction);
  await lockAccount(accountId, transaction);
  const watcher = found.watcher as BalanceWatcher;
  const [crossing] = await transaction.$queryRaw<{ mark: number | null }[]>`
    SELECT ${BALANCE_MARKS[watcher] ?? Prisma.sql`NULL::int`} AS mark
    FROM crossings LEFT JOIN account_settings settings USING (account_id)
    WHERE id = ${crossingId}::uuid`;
  if (!crossing) return;
  const balance = await getBalance(accountId, transaction);
  const { mark } = crossing;
  if (mark === null || balance >= mark) {
    await transaction.crossing.deleteMany({ where: { id: crossingId } });
    return;
  }
  await WATCHERS[watcher]({ crossingId, accountId, mark, balance }, transaction);
}
