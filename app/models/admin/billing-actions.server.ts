import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { findPersonNamed } from "~/models/admin/person-named.server";
import { withAudit, writeAudit } from "~/models/audit/audit-log.server";
import type { ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import {
  type EndedNow,
  endSubscriptionNow,
} from "~/models/billing/cancellations/ending-now.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import {
  type Outcome,
  type RunOptions,
  reconcile,
} from "~/models/billing/reconciliation/run-reconciliation.server";
import { type ClosedReturn, closeReturn } from "~/models/billing/returns/close-return.server";
import { dropReturns } from "~/models/billing/returns/drop-return.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { listReturnsOf } from "~/models/billing/returns/known-returns.server";
import { claimStored } from "~/models/webhooks/inbox.server";
import { type ProcessResult, processStored } from "~/models/webhooks/processing.server";
import type { ReturnKind } from "~/services/payments/billing-event";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

// Operators' actions on payments, each with its row of the audit log.

export type { Outcome };

/**
 * Processes a stored delivery again. Its row stands in the transaction of the effects, so a delivery that fails
 * leaves none; it names the person whom the delivery names, and says whether the delivery had been processed before.
 * Null if an attempt is under way, or if the payload was dropped.
 */
export async function replayDelivery(
  { actor, id }: { actor: string; id: string },
  db: Database = getDb(),
): Promise<ProcessResult | null> {
  const claim = await claimStored(id, db);
  if (!claim) return null;
  const action = claim.wasProcessed ? "delivery_repeated" : "delivery_replayed";
  return processStored(claim, db, async (names, transaction) => {
    const subjectUserId = await findPersonNamed(names, transaction);
    await writeAudit({ actor, action, subjectUserId, subject: `delivery:${id}` }, transaction);
  });
}

/** Compares a provider's records with this database, as `reconcile` does. Each repair writes its row. */
export function reconcileAs(
  actor: string,
  comparison: Comparison,
  options: Omit<RunOptions, "record">,
): Promise<number> {
  return reconcile(comparison, {
    ...options,
    record: ({ object, userId, does }, transaction) =>
      writeAudit(
        {
          actor,
          action: "billing_reconciled",
          subjectUserId: userId,
          subject: `${comparison.records.name}:${object}`,
          after: { does },
        },
        transaction,
      ),
  });
}

/** Tries kept returns again, as `matchKeptReturns` does with `guess`: all of them, or one. Returns how many were applied. */
export function applyKeptReturns(
  { actor, returnId = null }: { actor: string; returnId?: string | null },
  db: Database = getDb(),
): Promise<number> {
  return matchKeptReturns(
    {
      limit: Number.MAX_SAFE_INTEGER,
      guess: true,
      returnId,
      record: ({ returnId: id, userId }, transaction) =>
        writeAudit(
          { actor, action: "return_applied", subjectUserId: userId, subject: `return:${id}` },
          transaction,
        ),
    },
    db,
  );
}

/** Ends a subscription at once, as `endSubscriptionNow` does. A second row tells how it ended. */
export function endSubscriptionAs(
  {
    actor,
    userId,
    subscriptionId,
    reason,
  }: { actor: string; userId: string; subscriptionId: string; reason: string },
  providerOf: ProviderOf = getPaymentProvider,
  db: Database = getDb(),
): Promise<EndedNow> {
  const subject = `subscription:${subscriptionId}`;
  const row = { actor, subjectUserId: userId, subject, reason };
  return endSubscriptionNow(
    {
      userId,
      subscriptionId,
      ask: (transaction) => writeAudit({ ...row, action: "subscription_end_asked" }, transaction),
      record: ({ credits, wasRunning, isUnknownThere }, transaction) =>
        writeAudit(
          {
            ...row,
            action: "subscription_ended",
            before: { running: wasRunning },
            after: {
              ...{ running: false, creditsTaken: credits },
              ...(isUnknownThere ? { unknownAtProvider: true } : {}),
            },
          },
          transaction,
        ),
    },
    providerOf,
    db,
  );
}

interface OfPayment {
  actor: string;
  provider: PaymentProviderName;
  /** By any id that the provider gives it. */
  paymentId: string;
}

/** Drops the kept returns of a payment, and returns how many. */
export function dropKeptReturns(
  { actor, reason, ...payment }: OfPayment & { reason: string },
  db: DatabaseOrTransaction = getDb(),
): Promise<number> {
  const { provider, paymentId } = payment;
  return withAudit(async (transaction) => {
    const rows = await listReturnsOf(payment, transaction);
    const ids = rows.filter(({ userId }) => userId === null).map(({ id }) => id);
    const count = await dropReturns({ ids, reason }, transaction);
    const subject = `${provider}:payment ${paymentId}`;
    const entry = { actor, action: "return_dropped", subject, after: { count }, reason } as const;
    return { result: count, entry: count > 0 ? entry : null };
  }, db);
}

/** Notes that a dispute was won or a refund failed, as `closeReturn` does. */
export function closePaymentReturn(
  { actor, ...closing }: OfPayment & { kind: ReturnKind; returnId: string | null },
  db: DatabaseOrTransaction = getDb(),
): Promise<ClosedReturn> {
  const { provider, paymentId, kind } = closing;
  return withAudit<ClosedReturn>(async (transaction) => {
    const result = await closeReturn(closing, transaction);
    if (result.status !== "closed" && result.status !== "closed_kept")
      return { result, entry: null };
    const { userId, credits } = result.status === "closed" ? result : { userId: null, credits: 0 };
    return {
      result,
      entry: {
        actor,
        action: "return_closed",
        subjectUserId: userId,
        subject: `${provider}:payment ${paymentId}`,
        after: { kind, returnId: result.returnId, credits },
      },
    };
  }, db);
}
