import type { PaymentProviderName } from "~/env/payments";
import type { BillingEvent } from "~/services/payments/billing-event";

/** Something that the provider has otherwise than this database. */
export interface Difference {
  provider: PaymentProviderName;
  /** What it is about, as the provider names it: `subscription sub_…`. */
  object: string;
  /** Whose it is; null where nobody can tell. */
  userId: string | null;
  /** What differs. Names no person. */
  says: string;
  /** What would mend it; null where only the operator can, with what they can do. */
  repair: { does: string; events: BillingEvent[] } | null;
  /** For the operator, where there is no repair. */
  advice: string | null;
}

type Found = Pick<Difference, "provider" | "object" | "userId" | "says">;

export function repairable(found: Found, does: string, events: BillingEvent[]): Difference {
  return { ...found, repair: { does, events }, advice: null };
}

export function forOperator(found: Found, advice: string): Difference {
  return { ...found, repair: null, advice };
}

export function formatAmount({ amount, currency }: { amount: number; currency: string }): string {
  return `${(amount / 100).toFixed(2)} ${currency}`;
}
