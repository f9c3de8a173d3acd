/** Actions that a test or an operator triggers at a provider. Each returns its result, or null. */
export interface ControlActions {
  /** Returns everything that exists there. */
  readState(): object;
  /**
   * `id` is a payment's, its checkout's, or a subscription's, whose last payment it is. Without an amount,
   * refunds the rest of the payment.
   */
  refund(id: string, amount: number | undefined): object | null;
  dispute(id: string, amount: number | undefined): object | null;
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
  /** From now on the provider doesn't know it, as after a change from test to live keys. Sends nothing. */
  forget(kind: "subscription" | "customer", id: string): object | null;
}

interface Payment {
  amount: number;
  refunded: number;
}

interface Subscription {
  status: string;
}

/** The provider's implementation; it also sends the events. */
interface Billing<P, S> {
  refund(payment: P, amount: number): void;
  dispute(payment: P, amount: number): object;
  renew(subscription: S, paid: boolean): void;
  collect(subscription: S): void;
  end(subscription: S): void;
  pause(subscription: S): void;
  keep(subscription: S): void;
}

interface ControlledProvider<P, S> {
  state: { subscriptions: Record<string, S>; customers: Record<string, object> };
  /** Finds a payment by its own id, its checkout's, or its subscription's. */
  findPayment(id: string): P | undefined;
  billing: Billing<P, S>;
}

/** Finds the object, refuses impossible actions, and leaves the rest to `billing`. */
export function createControlActions<P extends Payment, S extends Subscription>({
  state,
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
    refund(id, amount) {
      const payment = findPayment(id);
      if (!payment || payment.refunded === payment.amount) return null;
      billing.refund(payment, amount ?? payment.amount - payment.refunded);
      return payment;
    },
    dispute(id, amount) {
      const payment = findPayment(id);
      return payment ? billing.dispute(payment, amount ?? payment.amount) : null;
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
    forget(kind, id) {
      const records: Record<string, object> =
        kind === "customer" ? state.customers : state.subscriptions;
      const known = records[id] ?? null;
      delete records[id];
      return known;
    },
  };
}
