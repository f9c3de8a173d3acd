import { type DatabaseOrTransaction, getDb, type Transaction } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import { type AuditAction, OWN_ACTIONS } from "~/models/audit/audit-actions";
import { currentRequest } from "~/utils/request-context.server";

/** Fields of a row. No address, name or text of a person: the row outlives the account and never changes. */
export interface AuditEntry {
  /** A user's id, or `operator:<user of the machine>` for a command. */
  actor: string;
  action: AuditAction;
  /** The account concerned; left out if it is none, all of them, or unknown. */
  subjectUserId?: string | null | undefined;
  /** A further object concerned, by its kind and id: `delivery:<id>`. */
  subject?: string;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
  /** The operator's words. The person concerned can read them. */
  reason?: string | undefined;
}

/**
 * Writes a row in the transaction of the action it tells of: both are kept, or neither. Where the action is a call
 * to another system, the row comes after the answer; one before it, too, if the effects can come without the answer.
 */
export async function writeAudit(entry: AuditEntry, transaction: Transaction): Promise<void> {
  const request = currentRequest();
  await transaction.auditRow.create({
    data: {
      ...entry,
      subjectUserId: entry.subjectUserId ?? null,
      subject: entry.subject ?? null,
      reason: entry.reason ?? null,
      network: OWN_ACTIONS.includes(entry.action) ? null : (request?.network ?? null),
      requestId: request?.requestId ?? null,
    },
    select: { id: true },
  });
}

/** An action's result, and the row that tells of it; null if nothing was changed. */
export interface Audited<Result> {
  result: Result;
  entry: AuditEntry | null;
}

/** Does an action and writes its row, in one transaction. */
export function withAudit<Result>(
  act: (transaction: Transaction) => Promise<Audited<Result>>,
  db: DatabaseOrTransaction = getDb(),
): Promise<Result> {
  // Read committed, as each action asks for.
  return db.$transaction(
    async (transaction) => {
      const { result, entry } = await act(transaction);
      if (entry) await writeAudit(entry, transaction);
      return result;
    },
    // Milliseconds. Commands change many rows at once.
    { timeout: 30_000 },
  );
}
