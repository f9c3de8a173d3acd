import type { PaymentProviderName } from "~/env/payments";
import type { BillingEvent } from "~/services/payments/billing-event";

/** A difference between the provider and this database. */
export interface Difference {
  provider: PaymentProviderName;
  /** The object in the provider's terms: `subscription sub_…`. */
  object: string;
  /** Null if the user is unknown. */
  userId: string | null;
  /** The difference, without personal data. */
  says: string;
  /** Null if only the operator can repair it; `advice` then says how. */
  repair: { does: string; events: BillingEvent[] } | null;
  /** For the operator; null if there is a repair. */
  advice: string | null;
}

type Found = Pick<Difference, "provider" | "object" | "userId" | "says">;

export function repairable(found: Found, does: string, events: BillingEvent[]): Difference {
  return { ...found, repair: { does, events }, advice: null };
}

export function forOperator(found: Found, advice: string): Difference {
  return { ...found, repair: null, advice };
}
