import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { type LedgerFault, listFaults } from "~/models/credits/faults.server";

interface Audit {
  /** Checks only the accounts of this many newest rows; all accounts if left out. */
  newestRows?: number;
  onFault?: (fault: LedgerFault) => void;
  /** Called after each batch with the number of accounts checked so far. */
  onProgress?: (accounts: number) => void;
}

const ACCOUNTS_PER_BATCH = 1_000;
const A_DAY_IN_MS = 24 * 60 * 60 * 1000;

/**
 * Checks the ledger's invariants on a live database, account by account, in constant memory and from
 * one snapshot. Changes nothing and blocks nobody. Returns how many accounts it checked and how many
 * faults it reported.
 */
export async function auditLedger(
  { newestRows, onFault, onProgress }: Audit = {},
  db: Database = getDb(),
): Promise<{ accounts: number; faults: number }> {
  const total = { accounts: 0, faults: 0 };
  const checkBatch = async (userIds: string[], snapshot: DatabaseOrTransaction) => {
    const faults = await listFaults(userIds, snapshot);
    for (const fault of faults) onFault?.(fault);
    total.accounts += userIds.length;
    total.faults += faults.length;
    onProgress?.(total.accounts);
  };
  await db.$transaction(
    async (snapshot) => {
      await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      if (newestRows !== undefined) {
        return checkBatch(await listNewestAccounts(newestRows, snapshot), snapshot);
      }
      let batch = await listAccounts(BEFORE_ALL, snapshot);
      for (let last = batch.at(-1); last; last = batch.at(-1)) {
        await checkBatch(batch, snapshot);
        batch = await listAccounts(last, snapshot);
      }
    },
    // One snapshot for all batches; otherwise changes between two batches could look like faults.
    { isolationLevel: "RepeatableRead", timeout: A_DAY_IN_MS },
  );
  return total;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** The next ids in order, from accounts and from rows that may lack one. */
async function listAccounts(after: string, snapshot: DatabaseOrTransaction): Promise<string[]> {
  const rows = await snapshot.$queryRaw<{ userId: string }[]>`
    (
      SELECT user_id AS "userId" FROM credit_accounts
      WHERE user_id > ${after}::uuid ORDER BY user_id LIMIT ${ACCOUNTS_PER_BATCH}
    ) UNION (
      SELECT DISTINCT user_id FROM credit_transactions
      WHERE user_id > ${after}::uuid ORDER BY user_id LIMIT ${ACCOUNTS_PER_BATCH}
    ) ORDER BY "userId" LIMIT ${ACCOUNTS_PER_BATCH}`;
  return rows.map(({ userId }) => userId);
}

async function listNewestAccounts(
  rows: number,
  snapshot: DatabaseOrTransaction,
): Promise<string[]> {
  const accounts = await snapshot.$queryRaw<{ userId: string }[]>`
    SELECT DISTINCT user_id AS "userId"
    FROM (SELECT user_id FROM credit_transactions ORDER BY id DESC LIMIT ${rows}) AS newest`;
  return accounts.map(({ userId }) => userId);
}
