import { z } from "zod";
import type { Charge, DisputeOptions, ReturnOptions } from "../payments/control-actions";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createId } from "../payments/sandbox-id";
import { requireStored } from "../payments/saved-state";
import { refundedOf, renderCharge, renderDispute, renderRefund } from "./return-objects";
import {
  DISPUTE_STATUSES,
  type DisputeStatus,
  nowInSeconds,
  REFUND_STATUSES,
  type RefundStatus,
  type StripeDispute,
  type StripePayment,
  type StripeRefund,
  type StripeState,
} from "./stripe-state";

interface ReturnsContext {
  state: StripeState;
  send(events: SandboxEvent[]): void;
  event(type: string, object: object): SandboxEvent;
}

const refundStatus = z.enum(REFUND_STATUSES);
const disputeStatus = z.enum(DISPUTE_STATUSES);

/** The states that a refund can still reach. A bank may send back one that succeeded. */
const NEXT_OF_REFUND: Record<RefundStatus, readonly RefundStatus[]> = {
  pending: ["requires_action", "succeeded", "failed", "canceled"],
  requires_action: ["pending", "succeeded", "failed", "canceled"],
  succeeded: ["failed", "canceled"],
  failed: [],
  canceled: [],
};

/** The states that a dispute can still reach. An inquiry may become a dispute; a lost one may be won after all. */
const NEXT_OF_DISPUTE: Record<DisputeStatus, readonly DisputeStatus[]> = {
  warning_needs_response: [
    ...(["warning_under_review", "warning_closed", "needs_response"] as const),
    ...(["under_review", "prevented"] as const),
  ],
  warning_under_review: ["warning_closed", "needs_response", "under_review", "prevented"],
  warning_closed: [],
  needs_response: ["under_review", "won", "lost"],
  under_review: ["needs_response", "won", "lost"],
  won: [],
  lost: ["won"],
  prevented: [],
};

const OPEN: readonly DisputeStatus[] = ["needs_response", "under_review"];
const CLOSED: readonly DisputeStatus[] = ["won", "lost", "warning_closed", "prevented"];

/** Refunds and disputes of payments: what they are, what becomes of them, and the events that tell it. */
export function createStripeReturns({ state, send, event }: ReturnsContext) {
  const paymentOf = ({ payment }: { payment: string }) => requireStored(state.payments, payment);

  function disputeEvents(dispute: StripeDispute, names: readonly string[]): void {
    const object = renderDispute(dispute, paymentOf(dispute));
    send(names.map((name) => event(`charge.dispute.${name}`, object)));
  }

  return {
    refundable: (payment: StripePayment) => payment.amount - refundedOf(state, payment),

    refund(payment: StripePayment, options: ReturnOptions & { amount: number }): StripeRefund {
      const status = refundStatus.parse(options.status ?? "succeeded");
      const refund: StripeRefund = {
        ...{ id: createId("re_"), payment: payment.id, amount: options.amount },
        ...{ currency: payment.currency, status, created: nowInSeconds() },
      };
      state.refunds[refund.id] = refund;
      const object = renderRefund(refund, payment);
      const isOver = status === "failed" || status === "canceled";
      send([
        event("refund.created", object),
        ...(isOver ? [] : [event("charge.refunded", renderCharge(state, payment))]),
        ...(status === "failed" ? [event("refund.failed", object)] : []),
      ]);
      return refund;
    },

    /** The same status again is news, too: Stripe also tells other fields of a refund. */
    settleRefund(id: string, next: string): StripeRefund | null {
      const status = refundStatus.parse(next);
      const refund = state.refunds[id];
      if (!refund) return null;
      if (refund.status !== status && !NEXT_OF_REFUND[refund.status].includes(status)) return null;
      refund.status = status;
      const object = renderRefund(refund, paymentOf(refund));
      send([
        event("refund.updated", object),
        event("charge.refund.updated", object),
        ...(status === "failed" ? [event("refund.failed", object)] : []),
      ]);
      return refund;
    },

    dispute(payment: StripePayment, options: DisputeOptions): StripeDispute {
      const status = disputeStatus.parse(options.status ?? "needs_response");
      const dispute: StripeDispute = {
        ...{ id: createId("dp_"), payment: payment.id, amount: options.amount ?? payment.amount },
        ...{ currency: options.currency ?? payment.currency, status, created: nowInSeconds() },
      };
      state.disputes[dispute.id] = dispute;
      const moved = [...OPEN, "won", "lost"].includes(status) ? ["funds_withdrawn"] : [];
      disputeEvents(dispute, ["created", ...moved, ...eventsOf(status)]);
      return dispute;
    },

    /** The same status again is news, too: Stripe tells of evidence in the same way. */
    settleDispute(id: string, next: string): StripeDispute | null {
      const status = disputeStatus.parse(next);
      const dispute = state.disputes[id];
      if (!dispute) return null;
      const before = dispute.status;
      if (before !== status && !NEXT_OF_DISPUTE[before].includes(status)) return null;
      dispute.status = status;
      const withdrawn = before.startsWith("warning_") && OPEN.includes(status);
      const news = before === status || OPEN.includes(status) || status === "warning_under_review";
      disputeEvents(dispute, [
        ...(news ? ["updated"] : []),
        ...(withdrawn ? ["funds_withdrawn"] : []),
        ...(before === status ? [] : eventsOf(status)),
      ]);
      return dispute;
    },

    /** Nothing may have gone back before: refunds and disputes are in the charge's currency. */
    recharge(payment: StripePayment, { amount, currency }: Charge): StripePayment | null {
      const returns = [...Object.values(state.refunds), ...Object.values(state.disputes)];
      if (returns.some((one) => one.payment === payment.id)) return null;
      payment.amount = amount;
      payment.currency = currency;
      return payment;
    },
  };
}

/** The events of a dispute's end. */
function eventsOf(status: DisputeStatus): string[] {
  if (status === "won") return ["funds_reinstated", "closed"];
  return CLOSED.includes(status) ? ["closed"] : [];
}
