// The payment stand-in's knowledge: each payment, and how much of it is away.

export interface Paid {
  sessionId: string;
  /** Minor units; 0 where a code made it free. */
  amount: number;
  /** Minor units of refunds and disputes that count. */
  away: number;
}

/** A plan as its provider has it. */
export interface PaidPlan {
  id: string;
  status: string;
  /** Whether it ends with its period. */
  cancels: boolean;
  /** The provider's price. */
  price: string;
  endsAt: Date;
  invoices: PaidInvoice[];
}

export interface PaidInvoice {
  /** Made by a change of plan, and not by a period's beginning. */
  isChange: boolean;
  lines: { price: string; start: Date; end: Date }[];
  amount: number;
  away: number;
  /** Whether anything of it ever went back, or was disputed. */
  hasReturns: boolean;
}

export interface Money {
  sales: ReadonlyMap<string, Paid>;
  plans: ReadonlyMap<string, PaidPlan>;
  /** Payments with kept cards. */
  charges: readonly (Paid & { userId: string; at: Date })[];
}
