import type { Period, PlanKey } from "~/catalog";
import type { SubscriptionStatus } from "~/services/payments/billing-event";

export interface PlanTarget {
  planKey: PlanKey;
  period: Period;
}

export interface PlannedChange extends PlanTarget {
  /** When the next period, in this plan, begins. */
  at: Date;
}

/** A change that takes effect once its invoice is paid. Until then the old plan goes on. */
export interface OpenChange {
  /** The provider's page for paying; null if it named none. */
  payUrl: string | null;
  /** When the change lapses, unpaid; nothing is charged then. */
  lapsesAt: Date | null;
}

/** A subscription as its provider has it now. */
export interface PlanStanding {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /** Null for a price that is not in the catalog. */
  plan: PlanTarget | null;
  scheduled: PlannedChange | null;
  open: OpenChange | null;
}

/** One part of what is due; amounts in minor units. */
export interface DueLine {
  /** `unused` is the rest of the old plan, and negative. `balance` is credit that the customer has. */
  kind: "new" | "unused" | "tax" | "balance";
  amount: number;
}

/** The cost of a change at once. */
export interface ChangePrice {
  /** False for an estimate before tax: the provider tells no amount in advance. */
  isExact: boolean;
  /** Minor units; never negative. */
  amountDue: number;
  currency: string;
  lines: DueLine[];
  /** The period that is then paid for. */
  startsAt: Date;
  endsAt: Date;
}

/** The price and period of a subscription after a change. */
export interface RunningPeriod {
  priceId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
}

type NotFound = { status: "not_found" };
type AtProvider = { providerSubscriptionId: string };

/**
 * Changes of a running subscription's plan. Every call throws AppError 503 payments_unavailable if a
 * setting it needs is missing, and 502 provider_error if the provider cannot be reached or refuses:
 * then, as far as we can know, nothing was charged or changed.
 */
export interface PlanChanges {
  /** Whether a change can be planned for the period's end. */
  readonly canSchedule: boolean;
  findStanding(request: AtProvider): Promise<PlanStanding | null>;
  /** The price of a change at once, prorated at `at`, a whole second within the current period. */
  priceChange(request: AtProvider & PlanTarget & { at: Date }): Promise<ChangePrice | null>;
  /**
   * Charges the saved card and changes the plan. `payment_open`: the card was declined or its bank wants
   * to hear from the customer, so nothing has changed yet. `requestId` tells apart repeated requests.
   */
  changeNow(
    request: AtProvider & PlanTarget & { at: Date; requestId: string },
  ): Promise<NotFound | { status: "changed"; running: RunningPeriod } | { status: "payment_open" }>;
  /** Plans a change for the period's end, in place of any other that is planned. Charges nothing. */
  scheduleChange(
    request: AtProvider & PlanTarget,
  ): Promise<NotFound | { status: "scheduled"; at: Date } | { status: "unsupported" }>;
  /** Drops the planned change. Repeating it changes nothing. */
  dropScheduledChange(request: AtProvider): Promise<NotFound | { status: "dropped" }>;
}
