import type { SandboxPrice } from "./sandbox-catalog";

/** An operator's details of a refund or dispute. The provider chooses those that are left out. */
export interface ReturnOptions {
  /** Minor units of the charge's currency; without it, all that can be refunded, or the whole charge. */
  amount?: number | undefined;
  /** One of the provider's own words. */
  status?: string | undefined;
}

export interface DisputeOptions extends ReturnOptions {
  /** If it differs from the charge's. */
  currency?: string | undefined;
}

/** An amount in minor units of its own currency. */
export interface Charge {
  amount: number;
  currency: string;
}

/** Actions that a test or an operator triggers at a provider. Each returns its result, or null. */
export interface ControlActions {
  /** Returns everything that exists there. */
  readState(): object;
  /** `id` is a payment's, its checkout's, or a subscription's, whose last payment it is. */
  refund(id: string, options: ReturnOptions): object | null;
  /** Sets what became of a refund; null if it is over. */
  settleRefund(id: string, status: string): object | null;
  dispute(id: string, options: DisputeOptions): object | null;
  /** Sets what became of a dispute; null if it is over. */
  settleDispute(id: string, status: string): object | null;
  /** The buyer was charged this amount in this currency; null once something went back. Sends nothing. */
  recharge(id: string, charge: Charge): object | null;
  /** Ends the current period and starts the next, paid or not. */
  renew(subscriptionId: string, outcome: "succeed" | "fail"): object | null;
  /** Pays the open invoice of a failed renewal. */
  collect(subscriptionId: string): object | null;
  /** Ends the subscription at once. */
  cancel(subscriptionId: string): object | null;
  /** Pauses it: it is not charged, and its period doesn't move. */
  pause(subscriptionId: string): object | null;
  /** Takes a scheduled cancellation back, as a customer does in the portal. */
  keep(subscriptionId: string): object | null;
  /** Replaces its price without a charge, as in the dashboard. */
  reprice(subscriptionId: string, priceId: string): object | null;
  /** From now on the provider doesn't know it, as after a change from test to live keys. Sends nothing. */
  forget(kind: "subscription" | "customer", id: string): object | null;
}

interface Subscription {
  status: string;
}

/** The provider's implementation; it also sends the events. */
interface Billing<P, S> {
  /** Minor units that can still be refunded. */
  refundable(payment: P): number;
  refund(payment: P, options: ReturnOptions & { amount: number }): object;
  settleRefund(id: string, status: string): object | null;
  dispute(payment: P, options: DisputeOptions): object;
  settleDispute(id: string, status: string): object | null;
  recharge(payment: P, charge: Charge): object | null;
  renew(subscription: S, paid: boolean): void;
  collect(subscription: S): void;
  end(subscription: S): void;
  pause(subscription: S): void;
  keep(subscription: S): void;
  reprice(subscription: S, priceId: string): void;
}

interface ControlledProvider<P, S> {
  state: { subscriptions: Record<string, S>; customers: Record<string, object> };
  prices: readonly SandboxPrice[];
  /** Finds a payment by its own id, its checkout's, or its subscription's. */
  findPayment(id: string): P | undefined;
  billing: Billing<P, S>;
}

/** Finds the object, refuses impossible actions, and leaves the rest to `billing`. */
export function createControlActions<P extends object, S extends Subscription>({
  state,
  prices,
  findPayment,
  billing,
}: ControlledProvider<P, S>): ControlActions {
  function onRunning(id: string, act: (subscription: S) => void): S | null {
    const subscription = state.subscriptions[id];
    if (!subscription || subscription.status === "canceled") return null;
    act(subscription);
    return subscription;
  }

  return {
    readState: () => state,
    refund(id, { amount, status }) {
      const payment = findPayment(id);
      const rest = payment ? billing.refundable(payment) : 0;
      if (!payment || rest === 0) return null;
      return billing.refund(payment, { amount: Math.min(amount ?? rest, rest), status });
    },
    settleRefund: billing.settleRefund,
    dispute(id, options) {
      const payment = findPayment(id);
      return payment ? billing.dispute(payment, options) : null;
    },
    settleDispute: billing.settleDispute,
    recharge(id, charge) {
      const payment = findPayment(id);
      return payment ? billing.recharge(payment, charge) : null;
    },
    renew: (id, outcome) =>
      state.subscriptions[id]?.status === "paused"
        ? null
        : onRunning(id, (subscription) => billing.renew(subscription, outcome === "succeed")),
    collect: (id) =>
      ["past_due", "expired"].includes(state.subscriptions[id]?.status ?? "")
        ? onRunning(id, billing.collect)
        : null,
    cancel: (id) => onRunning(id, billing.end),
    pause: (id) => onRunning(id, billing.pause),
    keep: (id) => onRunning(id, billing.keep),
    reprice: (id, priceId) =>
      prices.some((price) => price.id === priceId && price.interval)
        ? onRunning(id, (subscription) => billing.reprice(subscription, priceId))
        : null,
    forget(kind, id) {
      const records: Record<string, object> =
        kind === "customer" ? state.customers : state.subscriptions;
      const known = records[id] ?? null;
      delete records[id];
      return known;
    },
  };
}
