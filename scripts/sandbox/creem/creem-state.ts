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
  transaction: string;
  checkout: string;
  subscription: string | null;
  customer: string;
  productId: string;
  amount: number;
  refunded: number;
  /** Charged back, in part or in full: Creem counts the whole payment as refunded. */
  isDisputed: boolean;
  /** The period it pays for, if it is a subscription's. */
  period: { start: string; end: string } | null;
  currency: string;
  createdAt: string;
}

export interface CreemState {
  customers: Record<string, { id: string; email: string; createdAt: string }>;
  checkouts: Record<string, CreemCheckout>;
  subscriptions: Record<string, CreemSubscription>;
  orders: Record<string, CreemOrder>;
  /** Portal token → customer and return URL. */
  portals: Record<string, { customer: string; backUrl: string }>;
}

export function emptyCreemState(): CreemState {
  return { customers: {}, checkouts: {}, subscriptions: {}, orders: {}, portals: {} };
}
