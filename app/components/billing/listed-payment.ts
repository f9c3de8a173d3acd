/** A subscription's payment as its page's loader returns it. Amounts are in minor units. */
export interface ListedPayment {
  id: string;
  planKey: string;
  period: string;
  kind: "paid" | "upgrade";
  startsAt: Date;
  endsAt: Date;
  amount: number | null;
  currency: string | null;
  amountReturned: number;
  closedAt: Date | null;
}
