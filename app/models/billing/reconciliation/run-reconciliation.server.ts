import type { Database, Transaction } from "~/db.server";
import { applyBillingEvents } from "~/models/billing/effects.server";
import {
  listAbsentOrders,
  listAbsentSubscriptions,
  type Seen,
} from "~/models/billing/reconciliation/compare-absent.server";
import {
  compareCheckout,
  comparePayment,
} from "~/models/billing/reconciliation/compare-orders.server";
import { listOrphans } from "~/models/billing/reconciliation/compare-orphans.server";
import {
  compareReturn,
  listKeptReturns,
} from "~/models/billing/reconciliation/compare-returns.server";
import { compareSubscription } from "~/models/billing/reconciliation/compare-subscriptions.server";
import { compareTopUp, findTopUps } from "~/models/billing/reconciliation/compare-top-ups.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import { type Difference, forOperator } from "~/models/billing/reconciliation/difference";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import type { PaidInvoice, UnresolvedPayment } from "~/services/payments/billing-records.server";
import { describeError } from "~/utils/describe-error";

export interface Outcome extends Difference {
  /** Whether the row now matches the provider. */
  applied: boolean;
  /** Why a tried repair failed; null otherwise. */
  failure: string | null;
}

export interface RunOptions {
  /** Apply the repairs. */
  apply: boolean;
  /** Ids of checkouts to compare whatever their age. */
  checkouts: readonly string[];
  /** Writes that a repair was made, in its transaction. */
  record?(
    repaired: { object: string; userId: string | null; does: string },
    transaction: Transaction,
  ): Promise<void>;
  onOutcome(outcome: Outcome): void;
  /** Called with the number of objects compared so far. */
  onProgress(compared: number): void;
}

/**
 * Compares all of a provider's records with this database. Orders come first, because a refund needs its
 * order. Each object is read, compared and repaired on its own, so memory holds one page and the ids
 * seen. A repair runs the webhook's own effects in one transaction.
 */
export async function reconcile(comparison: Comparison, options: RunOptions): Promise<number> {
  const { records, since } = comparison;
  const seen: Seen = { payments: new Set(), subscriptions: new Set() };
  const run: Run = { ...comparison, newlyPaid: new Set() };
  let compared = 0;

  async function take(pages: AsyncIterable<(BillingEvent | UnresolvedPayment)[]>) {
    for await (const page of pages) {
      for (const record of page) {
        note(record, seen);
        await settle(record, run, options);
      }
      compared += page.length;
      if (page.length > 0) options.onProgress(compared);
    }
  }

  for (const id of options.checkouts) {
    const checkout = await records.findCheckout(id);
    if (!checkout) throw new Error(`there is no completed checkout ${id} at ${records.name}`);
    await settle(checkout, run, options);
  }
  await take(records.listPayments(since));
  await take(records.listCharges(await findTopUps(comparison)));
  for await (const page of records.listPaidInvoices(since))
    for (const id of await listUnknown(page, comparison)) run.newlyPaid.add(id);
  await take(records.listSubscriptions());
  await take(records.listReturns(since));
  for await (const { difference, recheck } of listAbsentSubscriptions(comparison, seen))
    await settleOne(difference, recheck, comparison, options);
  for await (const difference of listAbsentOrders(comparison, seen))
    options.onOutcome({ ...difference, applied: false, failure: null });
  if (options.apply) {
    const { userId, db } = comparison;
    const { record } = options;
    const limit = 1000;
    await matchKeptReturns(
      {
        ...{ limit, guess: true, userId },
        record: async ({ returnId, userId: owner }, transaction) =>
          record?.(
            { object: `return ${returnId}`, userId: owner, does: "apply the kept return" },
            transaction,
          ),
      },
      db,
    );
  }
  const notices = [...(await listKeptReturns(comparison)), ...(await listOrphans(comparison))];
  for (const difference of notices)
    options.onOutcome({ ...difference, applied: false, failure: null });
  return compared;
}

function note(record: BillingEvent | UnresolvedPayment, seen: Seen): void {
  if (record.kind === "subscription_changed") seen.subscriptions.add(record.providerSubscriptionId);
  if ("paymentId" in record && record.paymentId) seen.payments.add(record.paymentId);
}

interface Run extends Comparison {
  /** Ids of subscriptions with a paid invoice that is no period here. */
  newlyPaid: Set<string>;
}

/** The subscriptions of those of these invoices that are no period here. */
async function listUnknown(
  invoices: PaidInvoice[],
  { db, records: { name: provider } }: Comparison,
): Promise<string[]> {
  const ids = invoices.map(({ invoiceId }) => invoiceId);
  const known = await db.subscriptionPeriod.findMany({
    where: { provider, providerPaymentId: { in: ids } },
    select: { providerPaymentId: true },
  });
  const knownIds = new Set(known.map(({ providerPaymentId }) => providerPaymentId));
  return invoices
    .filter(({ invoiceId }) => !knownIds.has(invoiceId))
    .map(({ providerSubscriptionId }) => providerSubscriptionId);
}

async function settle(
  record: BillingEvent | UnresolvedPayment,
  run: Run,
  options: RunOptions,
): Promise<void> {
  const recheck = async () => compare(record, run);
  for (const difference of await recheck()) await settleOne(difference, recheck, run, options);
}

async function settleOne(
  difference: Difference,
  recheck: () => Promise<Difference[]>,
  { db }: Comparison,
  { apply, record, onOutcome }: RunOptions,
): Promise<void> {
  const isTried = apply && difference.repair !== null;
  const failure = isTried ? await repair(difference, recheck, { db, record }) : null;
  onOutcome({ ...difference, applied: isTried && failure === null, failure });
}

function compare(
  record: BillingEvent | UnresolvedPayment,
  { newlyPaid, ...comparison }: Run,
): Promise<Difference[]> | Difference[] {
  switch (record.kind) {
    case "checkout_completed":
      return compareCheckout(record, comparison);
    case "payment":
      return comparePayment(record, comparison);
    case "subscription_changed":
      return compareSubscription(record, comparison, {
        hasNewPayment: newlyPaid.has(record.providerSubscriptionId),
      });
    case "returned":
      return compareReturn(record, comparison);
    case "top_up_paid":
      return compareTopUp(record, comparison);
    case "malformed": {
      const found = { provider: comparison.records.name, object: record.type, userId: null };
      const says = `it cannot be read: ${record.problem}`;
      return [
        forOperator({ ...found, says }, "the provider's API has changed: update the starter"),
      ];
    }
    case "invoice_paid":
    case "invoice_failed":
    case "invoice_linked":
    // Maintenance asks the provider for each attempt that is open.
    case "top_up_failed":
    case "card_kept":
    case "unknown":
      return [];
  }
}

/** Milliseconds; the same as for a delivery. */
const EFFECTS_TIMEOUT = 30_000;

/** Returns null if the row now matches the provider, otherwise the reason. */
async function repair(
  { provider, object, userId, repair: planned }: Difference,
  recheck: () => Promise<Difference[]>,
  { db, record }: { db: Database; record: RunOptions["record"] },
): Promise<string | null> {
  const events = planned?.events ?? [];
  const does = planned?.does ?? "";
  try {
    await db.$transaction(
      async (transaction) => {
        await applyBillingEvents({ provider, events }, transaction);
        await record?.({ object, userId, does }, transaction);
      },
      { timeout: EFFECTS_TIMEOUT },
    );
  } catch (error) {
    return describeError(error);
  }
  // A difference that only the operator can settle is reported by itself.
  const left = (await recheck()).find((one) => one.repair !== null);
  return left ? `newer data arrived meanwhile: ${left.says}` : null;
}
