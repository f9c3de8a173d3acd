import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { withAudit } from "~/models/audit/audit-log.server";
import { type AdjustResult, adjustCredits } from "~/models/credits/adjustments.server";
import { getBalance } from "~/models/credits/balance.server";
import { type RepairResult, repairAccount } from "~/models/credits/repairs.server";

interface Adjusting {
  actor: string;
  userId: string;
  /** Credits, signed. */
  amount: number;
  /** The operator's name for it. The same key again changes nothing. */
  key: string;
  reason: string;
}

/** Gives or takes credits by hand, as `adjustCredits` does, with its row of the audit log. */
export function adjustUser(
  { actor, userId, amount, key, reason }: Adjusting,
  db: DatabaseOrTransaction = getDb(),
): Promise<AdjustResult> {
  return withAudit<AdjustResult>(async (transaction) => {
    const result = await adjustCredits({ userId, amount, key, reason }, transaction);
    if (result.status !== "adjusted") return { result, entry: null };
    // The account is locked, so nobody else has moved it in between.
    const balance = await getBalance(userId, transaction);
    return {
      result,
      entry: {
        actor,
        action: "ledger_adjusted",
        subjectUserId: userId,
        subject: `transaction:${result.transactionId}`,
        before: { balance: balance - amount },
        after: { balance },
        reason,
      },
    };
  }, db);
}

interface Repairing {
  actor: string;
  /** The user of the machine, for the ledger's own record. */
  operator: string;
  userId: string;
  reason: string;
  apply: boolean;
}

/** Repairs an account's stored numbers, as `repairAccount` does, with its row of the audit log. */
export function repairUser(
  { actor, ...repair }: Repairing,
  db: DatabaseOrTransaction = getDb(),
): Promise<RepairResult> {
  return withAudit<RepairResult>(async (transaction) => {
    const result = await repairAccount(repair, transaction);
    if (result.status !== "repaired") return { result, entry: null };
    const named = result.corrections.map(({ field, transactionId, before, after }) => {
      const name = transactionId === null ? field : `${field} of row ${transactionId}`;
      return { name, before, after };
    });
    return {
      result,
      entry: {
        actor,
        action: "ledger_repaired",
        subjectUserId: repair.userId,
        before: Object.fromEntries(named.map(({ name, before }) => [name, before])),
        after: Object.fromEntries(named.map(({ name, after }) => [name, after])),
        reason: repair.reason,
      },
    };
  }, db);
}
