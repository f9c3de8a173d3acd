import { z } from "zod";
import type { BillingEvent, ReturnedPayment, ReturnState } from "~/services/payments/billing-event";
import { readMetadata } from "~/services/payments/billing-metadata";
import {
  currency,
  id,
  minorUnits,
  orNull,
  reference,
  unixSeconds,
} from "~/services/payments/payload";

export const stripeCharge = z.object({
  id: orNull(id),
  payment_intent: orNull(reference),
  /** Before 2025-03 a subscription's charge named its invoice. */
  invoice: orNull(reference),
  customer: orNull(reference),
  created: orNull(unixSeconds),
  amount: minorUnits,
  amount_refunded: orNull(minorUnits),
  currency,
  /** Copied from the payment intent when it was charged. */
  metadata: z.unknown().optional(),
});

type Charge = z.output<typeof stripeCharge>;

/** `charge.refunded`: what was refunded of a charge so far. A subscription's charge carries none of our metadata. */
export function readChargeEvent(charge: Charge, type: string, occurredAt: Date): BillingEvent {
  if (charge.amount_refunded === null)
    return { kind: "malformed", type, problem: "amount_refunded: missing" };
  return {
    kind: "returned",
    of: "refund",
    returnId: null,
    state: "succeeded",
    amount: charge.amount_refunded,
    currency: charge.currency,
    payment: paymentOf(charge),
    // Without a time the ledger's check takes it for a total from before version 1.0, and leaves its sale out.
    occurredAt,
  };
}

function paymentOf(charge: Charge): ReturnedPayment {
  return {
    paymentId: charge.payment_intent ?? charge.id,
    orderId: null,
    invoiceId: charge.invoice,
    checkoutId: null,
    providerSubscriptionId: null,
    customerId: charge.customer,
    paidAt: charge.created,
    chargedAmount: charge.amount,
    metadata: readMetadata(charge.metadata),
  };
}

/** A charge is named by its id, or written out where that was asked for. */
const charge = z.union([id.transform((bare) => ({ id: bare })), stripeCharge]);

const returned = {
  id,
  charge: orNull(charge),
  payment_intent: orNull(reference),
  amount: minorUnits,
  currency,
  status: orNull(z.string()),
  created: orNull(unixSeconds),
};

export const stripeRefund = z.object(returned);
export const stripeDispute = z.object(returned);

type Returned = z.output<typeof stripeRefund>;

const REFUND_STATES = new Map<string, ReturnState>([
  ["pending", "pending"],
  ["requires_action", "pending"],
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "canceled"],
]);

const DISPUTE_STATES = new Map<string, ReturnState>([
  ["warning_needs_response", "inquiry"],
  ["warning_under_review", "inquiry"],
  ["warning_closed", "inquiry"],
  ["prevented", "inquiry"],
  ["needs_response", "open"],
  ["under_review", "open"],
  ["won", "won"],
  // API versions before 2014-11-20 say this of a dispute that was won, if the charge was refunded, too. The refund has its own row.
  ["charge_refunded", "won"],
  ["lost", "lost"],
]);

/** `refund.*` and `charge.refund.updated`. */
export function readRefundEvent(refund: Returned, type: string): BillingEvent {
  // Endpoints with API versions before 2014 send no status. Their refunds succeed at once.
  const state = REFUND_STATES.get(refund.status ?? "succeeded");
  return readReturn(refund, { type, of: "refund", state });
}

/** `charge.dispute.*`. It names the payment but not the purchase. An inquiry has moved no money. */
export function readDisputeEvent(dispute: Returned, type: string): BillingEvent {
  const state = DISPUTE_STATES.get(dispute.status ?? "needs_response");
  return readReturn(dispute, { type, of: "dispute", state });
}

function readReturn(
  source: Returned,
  { type, of, state }: { type: string; of: "refund" | "dispute"; state: ReturnState | undefined },
): BillingEvent {
  if (!state) return { kind: "malformed", type, problem: `status: ${source.status} is unknown` };
  const { charge } = source;
  const known =
    charge && "amount" in charge
      ? paymentOf(charge)
      : {
          ...NAMED_ONLY,
          paymentId: charge?.id ?? null,
        };
  // A bank can dispute in another currency than it paid.
  const isComparable = charge && "amount" in charge && charge.currency === source.currency;
  return {
    kind: "returned",
    of,
    returnId: source.id,
    state,
    amount: source.amount,
    currency: source.currency,
    payment: {
      ...known,
      paymentId: source.payment_intent ?? known.paymentId,
      chargedAmount: isComparable ? known.chargedAmount : null,
    },
    occurredAt: source.created,
  };
}

const NAMED_ONLY: Omit<ReturnedPayment, "paymentId"> = {
  orderId: null,
  invoiceId: null,
  checkoutId: null,
  providerSubscriptionId: null,
  customerId: null,
  paidAt: null,
  chargedAmount: null,
  metadata: null,
};
