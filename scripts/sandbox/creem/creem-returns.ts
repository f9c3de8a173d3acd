import { z } from "zod";
import type { Charge, DisputeOptions, ReturnOptions } from "../payments/control-actions";
import type { SandboxEvent } from "../payments/delivery-engine";
import { createId } from "../payments/sandbox-id";
import { createCreemEvent } from "./creem-events";
import {
  type CreemDispute,
  type CreemOrder,
  type CreemRefund,
  type CreemState,
  DISPUTE_STATUSES,
  REFUND_STATUSES,
} from "./creem-state";
import { chargeOf, refundsOf } from "./creem-transactions";

interface ReturnsContext {
  state: CreemState;
  send(events: SandboxEvent[]): void;
  /** The facts that refunds and disputes tell of their payment. */
  renderParts(order: CreemOrder): object;
}

const refundStatus = z.enum(REFUND_STATUSES);
const disputeStatus = z.enum(DISPUTE_STATUSES);

/** The states that a refund can still reach. A bank may send back one that succeeded. */
const NEXT_OF_REFUND: Record<CreemRefund["status"], readonly CreemRefund["status"][]> = {
  pending: ["succeeded", "failed", "canceled"],
  succeeded: ["failed", "canceled"],
  failed: [],
  canceled: [],
};

const NEXT_OF_DISPUTE: Record<CreemDispute["status"], readonly CreemDispute["status"][]> = {
  created: ["won", "lost"],
  lost: ["won"],
  won: [],
};

/**
 * Refunds and disputes of payments. Creem sends one event when each begins, and none when it ends; only the
 * transaction shows that.
 */
export function createCreemReturns({ state, send, renderParts }: ReturnsContext) {
  return {
    refundable: (order: CreemOrder) =>
      chargeOf(order).amount - refundsOf(state, order, ["pending", "succeeded"]),

    refund(order: CreemOrder, { amount, status }: ReturnOptions & { amount: number }): CreemRefund {
      const refund: CreemRefund = {
        ...{ id: createId("ref_"), order: order.id, amount, currency: chargeOf(order).currency },
        status: refundStatus.parse(status ?? "succeeded"),
        createdAt: new Date().toISOString(),
      };
      state.refunds[refund.id] = refund;
      const object = {
        ...{ id: refund.id, object: "refund", status: refund.status, refund_amount: amount },
        refund_currency: refund.currency.toUpperCase(),
        reason: "requested_by_customer",
        ...renderParts(order),
      };
      send([createCreemEvent("refund.created", object)]);
      return refund;
    },

    settleRefund(id: string, next: string): CreemRefund | null {
      const status = refundStatus.parse(next);
      const refund = state.refunds[id];
      if (!refund) return null;
      if (refund.status !== status && !NEXT_OF_REFUND[refund.status].includes(status)) return null;
      refund.status = status;
      return refund;
    },

    dispute(order: CreemOrder, { amount, status, currency }: DisputeOptions): CreemDispute {
      const charge = chargeOf(order);
      const dispute: CreemDispute = {
        ...{ id: createId("disp_"), order: order.id, amount: amount ?? charge.amount },
        currency: currency ?? charge.currency,
        status: disputeStatus.parse(status ?? "created"),
        createdAt: new Date().toISOString(),
      };
      state.disputes[dispute.id] = dispute;
      const object = {
        ...{ id: dispute.id, object: "dispute", amount: dispute.amount },
        currency: dispute.currency.toUpperCase(),
        ...renderParts(order),
      };
      send([createCreemEvent("dispute.created", object)]);
      return dispute;
    },

    settleDispute(id: string, next: string): CreemDispute | null {
      const status = disputeStatus.parse(next);
      const dispute = state.disputes[id];
      if (!dispute) return null;
      if (dispute.status !== status && !NEXT_OF_DISPUTE[dispute.status].includes(status))
        return null;
      dispute.status = status;
      return dispute;
    },

    /** Nothing may have gone back before: refunds and disputes are in the charge's currency. */
    recharge(order: CreemOrder, charge: Charge): CreemOrder | null {
      const returns = [...Object.values(state.refunds), ...Object.values(state.disputes)];
      if (returns.some((one) => one.order === order.id)) return null;
      order.charge = charge;
      return order;
    },
  };
}
