import fc from "fast-check";

/** An event in the life of one subscription, its provider, or our service. Days are whole. */
export type Step =
  /** Time passes. The provider reports what it has renewed meanwhile. */
  | { do: "pass"; days: number }
  /** The daily run, or one that crashes after some grants. */
  | { do: "run"; crashes: boolean }
  /** `count` queued deliveries, starting at `from` in the queue, each delivered once or twice. */
  | { do: "deliver"; from: number; count: number; twice: boolean }
  /** The customer changes to another interval, which begins a new period at once. */
  | { do: "switch"; interval: "month" | "year" }
  | { do: "spend"; amount: number };

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("pass" as const),
        days: fc.integer({ min: 1, max: 45 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("run" as const), crashes: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("deliver" as const),
        from: fc.nat(5),
        count: fc.integer({ min: 1, max: 4 }),
        twice: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("switch" as const),
        interval: fc.constantFrom("month" as const, "year" as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("spend" as const),
        amount: fc.integer({ min: 1, max: 400 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

/**
 * Returns the date `months` later in UTC, or the month's last day if it has no such day, as Stripe
 * bills.
 */
function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(date.getUTCMonth() + months);
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), days));
  return moved;
}

export interface PaidPeriod {
  start: Date;
  end: Date;
  interval: "month" | "year";
}

/** The provider's side of a subscription that is always paid at once: periods without a gap. */
export function createBiller(start: Date, interval: "month" | "year") {
  const periods: PaidPeriod[] = [];
  let anchor = start;
  let step = interval === "month" ? 1 : 12;
  let k = 0;
  const push = () => {
    periods.push({
      start: addMonths(anchor, k * step),
      end: addMonths(anchor, (k + 1) * step),
      interval: step === 1 ? "month" : "year",
    });
    k += 1;
  };
  push();
  const last = () => periods[periods.length - 1] as PaidPeriod;
  return {
    periods,
    /** Renews every period that has ended by then, and returns the new periods. */
    renewUntil(now: Date): PaidPeriod[] {
      const before = periods.length;
      while (last().end <= now) push();
      return periods.slice(before);
    },
    /**
     * Changes the interval from now on and returns its first period. Stripe starts a new anchor.
     */
    change(now: Date, to: "month" | "year"): PaidPeriod | null {
      if (last().interval === to) return null;
      anchor = now;
      step = to === "month" ? 1 : 12;
      k = 0;
      push();
      return last();
    },
    last,
  };
}
