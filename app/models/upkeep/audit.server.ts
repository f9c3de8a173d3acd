import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import { Prisma } from "~/generated/prisma/client";
import { billingRules } from "~/models/billing/ledger-rules/billing-rules.server";
import { creditRules } from "~/models/credits/faults.server";
import type { LedgerFault, RuleSet } from "~/models/credits/rule-set";
import { meteringRules } from "~/models/metering/ledger-rules.server";

interface Audit {
  /** Checks only the accounts of this many newest rows; all accounts if left out. */
  newestRows?: number;
  /** Checks these accounts only. */
  userIds?: string[];
  onFault?: (fault: LedgerFault) => void;
  /** Called after each batch with the number of accounts checked so far. */
  onProgress?: (accounts: number) => void;
}

/** Everything that moves credits, and what it says the ledger holds. */
const RULE_SETS: readonly RuleSet[] = [creditRules, billingRules, meteringRules];

const ACCOUNTS_PER_BATCH = 1_000;
const A_DAY_IN_MS = 24 * 60 * 60 * 1000;

/**
 * Checks the ledger's invariants, and the ledger against orders, paid periods and generations, on a live
 * database: account by account, in constant memory and from one snapshot. Changes nothing and blocks
 * nobody. Returns how many accounts it checked and how many faults it reported.
 */
export async function auditLedger(
  { newestRows, userIds, onFault, onProgress }: Audit = {},
  db: Database = getDb(),
): Promise<{ accounts: number; faults: number }> {
  const total = { accounts: 0, faults: 0 };
  const checkBatch = async (userIds: string[], snapshot: DatabaseOrTransaction) => {
    const faults = await listAllFaults(userIds, snapshot);
    for (const fault of faults) onFault?.(fault);
    total.faults += faults.length;
    total.accounts += userIds.length;
    onProgress?.(total.accounts);
  };
  await db.$transaction(
    async (snapshot) => {
      await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      if (userIds) return checkBatch(userIds, snapshot);
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

/** Every breach of any rule in these users' rows. Consistent only within one snapshot. */
export async function listAllFaults(
  userIds: string[],
  db: DatabaseOrTransaction,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const rules of RULE_SETS) faults.push(...(await rules.listFaults(userIds, db)));
  return faults;
}

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

function listAccountsOf(owner: string, after: string): Prisma.Sql {
  const [table = "", column = ""] = owner.split(".");
  return Prisma.sql`(
    SELECT DISTINCT user_id FROM (${Prisma.raw(`SELECT ${column} AS user_id FROM ${table}`)}) AS rows
    WHERE user_id > ${after}::uuid ORDER BY user_id LIMIT ${ACCOUNTS_PER_BATCH})`;
}

/** The next ids in order, of everybody who has rows that a rule is about. */
async function listAccounts(after: string, snapshot: DatabaseOrTransaction): Promise<string[]> {
  const owners = Prisma.join(
    RULE_SETS.flatMap((rules) => rules.owners).map((owner) => listAccountsOf(owner, after)),
    " UNION ",
  );
  const rows = await snapshot.$queryRaw<{ userId: string }[]>`
    SELECT user_id AS "userId" FROM (${owners}) AS owner
    ORDER BY user_id LIMIT ${ACCOUNTS_PER_BATCH}`;
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
