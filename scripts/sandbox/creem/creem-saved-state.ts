import type { CreemDispute, CreemOrder, CreemRefund, CreemState } from "./creem-state";

interface OrderBefore extends Omit<CreemOrder, "orderId" | "charge"> {
  refunded: number;
  isDisputed: boolean;
}

/** The state as version 4 saved it, where it differs. */
interface StateBefore extends Partial<Omit<CreemState, "orders">> {
  orders: Record<string, OrderBefore>;
}

/** Makes refunds and disputes of the sums that orders had. */
export function upgradeCreemState(saved: unknown): Partial<CreemState> {
  const before = saved as StateBefore;
  const orders: Record<string, CreemOrder> = {};
  const refunds: Record<string, CreemRefund> = {};
  const disputes: Record<string, CreemDispute> = {};
  for (const { refunded, isDisputed, ...order } of Object.values(before.orders)) {
    orders[order.id] = { ...order, orderId: order.id, charge: null };
    const { id, currency, createdAt } = order;
    const shared = { order: id, currency, createdAt };
    const suffix = id.slice("ord_".length);
    const [refund, dispute] = [`ref_${suffix}`, `disp_${suffix}`];
    if (refunded > 0)
      refunds[refund] = { id: refund, ...shared, amount: refunded, status: "succeeded" };
    if (isDisputed)
      disputes[dispute] = { id: dispute, ...shared, amount: order.amount, status: "created" };
  }
  return { ...before, orders, refunds, disputes };
}
