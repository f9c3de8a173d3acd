/** What a test or an operator makes happen at a provider. An action returns its result, or null. */
export interface ControlActions {
  /** Everything that exists there. */
  readState(): object;
  /** `id` is that of a payment or of its checkout. Without an amount: all that is left of it. */
  refund(id: string, amount: number | undefined): object | null;
  dispute(id: string, amount: number | undefined): object | null;
  /** Ends the current period and begins the next, paid or not. */
  renew(subscriptionId: string, outcome: "succeed" | "fail"): object | null;
  /** Pays what a failed renewal left open. */
  collect(subscriptionId: string): object | null;
  /** Ends it at once. */
  cancel(subscriptionId: string): object | null;
}

interface Payment {
  amount: number;
  refunded: number;
}

interface Subscription {
  status: string;
}

/** The provider's own way to do it, with the events that it sends. */
interface Billing<P, S> {
  refund(payment: P, amount: number): void;
  dispute(payment: P, amount: number): object;
  renew(subscription: S, paid: boolean): void;
  collect(subscription: S): void;
  end(subscription: S): void;
}

interface ControlledProvider<P, S> {
  state: { subscriptions: Record<string, S> };
  /** By its own id or by its checkout's. */
  findPayment(id: string): P | undefined;
  billing: Billing<P, S>;
}

/** Finds the object, refuses what cannot happen to it any more, and leaves the rest to `billing`. */
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
      onRunning(id, (subscription) => billing.renew(subscription, outcome === "succeed")),
    collect: (id) =>
      state.subscriptions[id]?.status === "past_due" ? onRunning(id, billing.collect) : null,
    cancel: (id) => onRunning(id, billing.end),
  };
}
