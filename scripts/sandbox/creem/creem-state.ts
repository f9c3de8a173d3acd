import type { Charge } from "../payments/control-actions";
import type { SandboxPrice } from "../payments/sandbox-catalog";

/** Amounts are in minor units, times are ISO date-times, ids have Creem's format. */
export interface CreemCheckout {
  id: string;
  status: "pending" | "completed";
  productId: string;
  requestId: string;
  successUrl: string;
  metadata: Record<string, string>;
  customer: string | null;
  email: string | null;
  order: string | null;
  subscription: string | null;
}

export interface CreemSubscription {
  id: string;
  productId: string;
  customer: string;
  status: "active" | "scheduled_cancel" | "past_due" | "paused" | "expired" | "canceled";
  metadata: Record<string, string>;
  anchor: string;
  /** Number of the current period, from 0. */
  period: number;
  canceledAt: string | null;
  lastTransaction: string;
  createdAt: string;
}

/** One payment: the order and its transaction. */
export interface CreemOrder {
  id: string;
  /** The order that the payment names: its own, or that of its subscription's first checkout. */
  orderId: string;
  transaction: string;
  checkout: string;
  subscription: string | null;
  customer: string;
  productId: string;
  amount: number;
  /** The sum that the buyer was charged, if that differs. */
  charge: Charge | null;
  /** The period it pays for, if it is a subscription's. */
  period: { start: string; end: string } | null;
  currency: string;
  createdAt: string;
}

export const REFUND_STATUSES = ["pending", "succeeded", "failed", "canceled"] as const;
export const DISPUTE_STATUSES = ["created", "won", "lost"] as const;

/** A refund or dispute of one payment. */
interface CreemReturn<Status> {
  id: string;
  /** The order's own id, whichever it names. */
  order: string;
  amount: number;
  currency: string;
  status: Status;
  createdAt: string;
}

export type CreemRefund = CreemReturn<(typeof REFUND_STATUSES)[number]>;
export type CreemDispute = CreemReturn<(typeof DISPUTE_STATUSES)[number]>;

export interface CreemState {
  customers: Record<string, { id: string; email: string; createdAt: string }>;
  checkouts: Record<string, CreemCheckout>;
  subscriptions: Record<string, CreemSubscription>;
  orders: Record<string, CreemOrder>;
  refunds: Record<string, CreemRefund>;
  disputes: Record<string, CreemDispute>;
  /** Products that an operator added in the dashboard. */
  prices: Record<string, SandboxPrice>;
  /** Portal token → customer and return URL. */
  portals: Record<string, { customer: string; backUrl: string }>;
}

export function emptyCreemState(): CreemState {
  return {
    customers: {},
    checkouts: {},
    subscriptions: {},
    orders: {},
    refunds: {},
    disputes: {},
    prices: {},
    portals: {},
  };
}
