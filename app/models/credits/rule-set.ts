import type { DatabaseOrTransaction } from "~/db.server";

/** One broken invariant, described for an operator. */
export interface LedgerFault {
  rule: string;
  userId: string;
  /** The faulty row of the ledger; null if the fault is elsewhere, and `detail` names the row. */
  transactionId: string | null;
  detail: string;
}

/** One room's rules about the ledger. Each room that moves credits has a set. */
export interface RuleSet {
  /** Columns that name accounts to check, even if the ledger has lost them: `orders.user_id`. */
  owners: readonly `${string}.${string}`[];
  /** Every breach in these users' rows. Reads only, and trusts no constraint. */
  listFaults(userIds: string[], db: DatabaseOrTransaction): Promise<LedgerFault[]>;
}
