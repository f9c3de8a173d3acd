import { requireStored } from "../payments/saved-state";
import type { StripeInvoice, StripePayment, StripeState, StripeSubscription } from "./stripe-state";

interface ReversalBefore {
  id: string;
  payment: string;
  amount: number;
  created: number;
}

/** The state as version 4 saved it, where it differs. */
interface StateBefore
  extends Partial<Omit<StripeState, "subscriptions" | "invoices" | "refunds" | "disputes">> {
  subscriptions: Record<string, Omit<StripeSubscription, "pendingLines">>;
  payments: Record<string, StripePayment>;
  invoices: Record<string, Omit<StripeInvoice, "payments"> & { payment: string | null }>;
  refunds: Record<string, ReversalBefore>;
  disputes: Record<string, ReversalBefore>;
}

/** Gives returns a status and a currency, and invoices their list of payments. */
export function upgradeStripeState(saved: unknown): Partial<StripeState> {
  const before = saved as StateBefore;
  const currencyOf = ({ payment }: ReversalBefore) =>
    requireStored(before.payments, payment).currency;
  const each = <From, To>(records: Record<string, From>, change: (record: From) => To) =>
    Object.fromEntries(Object.entries(records).map(([id, record]) => [id, change(record)]));
  return {
    ...before,
    subscriptions: each(before.subscriptions, (one) => ({ ...one, pendingLines: [] })),
    refunds: each(before.refunds, (one) => ({
      ...one,
      currency: currencyOf(one),
      status: "succeeded" as const,
    })),
    disputes: each(before.disputes, (one) => ({
      ...one,
      currency: currencyOf(one),
      status: "needs_response" as const,
    })),
    invoices: each(before.invoices, ({ payment, ...one }) => ({
      ...one,
      payments: payment === null ? [] : [{ id: payment, amount: one.total }],
    })),
  };
}
