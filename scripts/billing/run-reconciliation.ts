import { applyBillingEvents } from "~/models/billing/effects.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import type { UnresolvedPayment } from "~/services/payments/billing-records.server";
import { describeError } from "../lib/describe-error";
import { listAbsent, type Seen } from "./compare-absent";
import { compareCheckout, comparePayment } from "./compare-orders";
import { compareReversal } from "./compare-reversals";
import { compareSubscription } from "./compare-subscriptions";
import type { Comparison } from "./comparison";
import { type Difference, forOperator } from "./difference";

export interface Outcome extends Difference {
  /** Whether the row is now as the provider has it. */
  applied: boolean;
  /** Why it is not, where that was tried. */
  failure: string | null;
}

export interface RunOptions {
  /** Repair what can be repaired. */
  apply: boolean;
  /** Checkouts to look at, whatever their age. */
  checkouts: readonly string[];
  onOutcome(outcome: Outcome): void;
  /** How many of the provider's objects were compared by now. */
  onProgress(compared: number): void;
}

/**
 * Compares everything that a provider has on record with this database. Orders come first, since a
 * refund needs its order, and each object is read, compared and repaired by itself: memory holds one
 * page, and the ids of what was seen. A repair is one transaction of the webhook's own effects.
 */
export async function reconcile(comparison: Comparison, options: RunOptions): Promise<number> {
  const { records, since } = comparison;
  const seen: Seen = { payments: new Set(), subscriptions: new Set() };
  let compared = 0;

  async function take(pages: AsyncIterable<(BillingEvent | UnresolvedPayment)[]>) {
    for await (const page of pages) {
      for (const record of page) {
        note(record, seen);
        await settle(record, comparison, options);
      }
      compared += page.length;
      if (page.length > 0) options.onProgress(compared);
    }
  }

  for (const id of options.checkouts) {
    const checkout = await records.findCheckout(id);
    if (!checkout) throw new Error(`there is no completed checkout ${id} at ${records.name}`);
    await settle(checkout, comparison, options);
  }
  await take(records.listPayments(since));
  await take(records.listSubscriptions());
  await take(records.listReversals(since));
  for await (const difference of listAbsent(comparison, seen))
    options.onOutcome({ ...difference, applied: false, failure: null });
  return compared;
}

function note(record: BillingEvent | UnresolvedPayment, seen: Seen): void {
  if (record.kind === "subscription_changed") seen.subscriptions.add(record.providerSubscriptionId);
  if ("paymentId" in record && record.paymentId) seen.payments.add(record.paymentId);
}

async function settle(
  record: BillingEvent | UnresolvedPayment,
  comparison: Comparison,
  { apply, onOutcome }: RunOptions,
): Promise<void> {
  for (const difference of await compare(record, comparison)) {
    const isTried = apply && difference.repair !== null;
    const failure = isTried ? await repair(difference, record, comparison) : null;
    onOutcome({ ...difference, applied: isTried && failure === null, failure });
  }
}

function compare(
  record: BillingEvent | UnresolvedPayment,
  comparison: Comparison,
): Promise<Difference[]> | Difference[] {
  switch (record.kind) {
    case "checkout_completed":
      return compareCheckout(record, comparison);
    case "payment":
      return comparePayment(record, comparison);
    case "subscription_changed":
      return compareSubscription(record, comparison);
    case "refunded":
    case "disputed":
      return compareReversal(record, comparison);
    case "malformed": {
      const found = { provider: comparison.records.name, object: record.type, userId: null };
      const says = `it cannot be read: ${record.problem}`;
      return [
        forOperator({ ...found, says }, "the provider's API has changed: update the starter"),
      ];
    }
    case "invoice_paid":
    case "invoice_failed":
    case "unknown":
      return [];
  }
}

/** Milliseconds; as for a delivery. */
const EFFECTS_TIMEOUT = 30_000;

/** Null when the row is now as the provider has it, and otherwise why it is not. */
async function repair(
  { provider, repair: planned }: Difference,
  record: BillingEvent | UnresolvedPayment,
  comparison: Comparison,
): Promise<string | null> {
  const events = planned?.events ?? [];
  try {
    await comparison.db.$transaction(
      (transaction) => applyBillingEvents({ provider, events }, transaction),
      { timeout: EFFECTS_TIMEOUT },
    );
  } catch (error) {
    return describeError(error);
  }
  const left = await compare(record, comparison);
  return left.length === 0 ? null : `something newer came meanwhile: ${left[0]?.says}`;
}
