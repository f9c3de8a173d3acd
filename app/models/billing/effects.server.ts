import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { isOfOtherInstallation } from "~/models/billing/customers/installation.server";
import { recordPackCheckout } from "~/models/billing/orders/pack-checkouts.server";
import { applyReturn } from "~/models/billing/returns/returns.server";
import {
  applySubscriptionEvent,
  recordSubscriptionCheckout,
} from "~/models/billing/subscriptions/events.server";
import {
  applyInvoiceFailed,
  applyInvoiceLinked,
  applyInvoicePaid,
} from "~/models/billing/subscriptions/invoices.server";
import {
  applyCardKept,
  applyTopUpFailed,
  applyTopUpPaid,
  endTopUpsOf,
} from "~/models/billing/top-ups/events.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";

/**
 * Applies a delivery's events, in the transaction that also ends the delivery. Each effect belongs to a
 * business object and happens once for it, no matter which events report it, how often and in what
 * order. Throws for an event that is ours but cannot be applied: the delivery is kept and retried.
 */
export async function applyBillingEvents(
  { provider, events }: { provider: PaymentProviderName; events: BillingEvent[] },
  transaction: Transaction,
): Promise<void> {
  for (const event of events) await applyBillingEvent(provider, event, transaction);
}

async function applyBillingEvent(
  provider: PaymentProviderName,
  event: BillingEvent,
  transaction: Transaction,
): Promise<void> {
  if (await isOfOtherInstallation({ provider, event }, transaction)) {
    log().info({ provider, kind: event.kind }, "webhook event of another installation");
    return;
  }
  switch (event.kind) {
    case "checkout_completed":
      if (event.mode === "subscription")
        return recordSubscriptionCheckout({ provider, event }, transaction);
      return recordPackCheckout({ provider, event }, transaction);
    case "subscription_changed":
      return applySubscriptionEvent({ provider, event }, transaction);
    case "invoice_paid":
      return applyInvoicePaid({ provider, event }, transaction);
    case "returned":
      await applyReturn({ provider, event }, transaction);
      return endTopUpsOf({ provider, event }, transaction);
    case "card_kept":
      return applyCardKept({ event }, transaction);
    case "top_up_paid":
      return applyTopUpPaid({ provider, event }, transaction);
    case "top_up_failed":
      return applyTopUpFailed({ event }, transaction);
    case "invoice_failed":
      return applyInvoiceFailed({ provider, event }, transaction);
    case "invoice_linked":
      return applyInvoiceLinked({ provider, event }, transaction);
    case "unknown":
      log().debug({ provider, type: event.type }, "webhook event of no concern");
      return;
    case "malformed":
      throw new Error(`${event.type} cannot be read: ${event.problem}`);
  }
}
