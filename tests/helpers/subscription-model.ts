import fc from "fast-check";
import type { PlanKey } from "~/catalog";
import { addMonths } from "~/utils/add-months";
import { PLAN, TOP_PLAN } from "../fixtures/sold";

export type Interval = "month" | "year";
export type Plan = PlanKey;

/** An event in the life of one subscription, its provider, or our service. Days are whole. */
export type Step =
  /** Time passes. The provider reports what it has renewed meanwhile. */
  | { do: "pass"; days: number }
  /** The daily run, or one that crashes after some grants. */
  | { do: "run"; crashes: boolean }
  /** `count` queued deliveries, starting at `from` in the queue, each delivered once or twice. */
  | { do: "deliver"; from: number; count: number; twice: boolean }
  /** A queued delivery that never comes. */
  | { do: "lose"; at: number }
  /** The customer changes to another interval, which begins a new period at once. */
  | { do: "switch"; interval: Interval }
  /** The customer changes the plan at once: the rest of a dearer one is paid, nothing else is. */
  | { do: "change"; plan: Plan }
  /** The customer changes the plan with the next renewal. */
  | { do: "schedule"; plan: Plan }
  /** So many tenths of one of the payments go back. */
  | { do: "refund"; payment: number; tenths: number }
  | { do: "dispute"; payment: number }
  | { do: "spend"; amount: number };

const plan = fc.constantFrom(PLAN.planKey, TOP_PLAN.planKey);
const interval = fc.constantFrom("month" as const, "year" as const);
const step = <Name extends Step["do"], Model extends object>(
  name: Name,
  weight: number,
  model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> },
) => ({ weight, arbitrary: fc.record({ do: fc.constant(name), ...model }) });

const ORDINARY = [
  step("pass", 4, { days: fc.integer({ min: 1, max: 45 }) }),
  step("run", 3, { crashes: fc.boolean() }),
  step("deliver", 4, {
    from: fc.nat(5),
    count: fc.integer({ min: 1, max: 4 }),
    twice: fc.boolean(),
  }),
  step("switch", 1, { interval }),
  step("spend", 1, { amount: fc.integer({ min: 1, max: 400 }) }),
];

const UNUSUAL = [
  step("lose", 1, { at: fc.nat(5) }),
  step("change", 1, { plan }),
  step("schedule", 1, { plan }),
  step("refund", 1, { payment: fc.nat(5), tenths: fc.integer({ min: 1, max: 10 }) }),
  step("dispute", 1, { payment: fc.nat(5) }),
];

const length = { minLength: 5, maxLength: 40 };

/** Histories in which every payment stays paid, of one plan. */
export const ordinarySteps = fc.array(fc.oneof(...ORDINARY), length) as fc.Arbitrary<Step[]>;

/** Histories with changes of plan, lost events, refunds and disputes. */
export const unusualSteps = fc.array(fc.oneof(...ORDINARY, ...UNUSUAL), length) as fc.Arbitrary<
  Step[]
>;

/** A payment that the provider took. */
export interface Payment {
  start: Date;
  end: Date;
  interval: Interval;
  plan: Plan;
  /** A whole period, or the rest of one on a dearer plan. */
  covers: "period" | "upgrade";
}

/** The provider's side of a subscription that is always paid at once: periods without a gap. */
export function createBiller(start: Date, startInterval: Interval) {
  const payments: Payment[] = [];
  let anchor = start;
  let current: Interval = startInterval;
  let plan: Plan = PLAN.planKey;
  let next: Plan | null = null;
  let k = 0;
  let end = start;
  const renew = () => {
    plan = next ?? plan;
    next = null;
    const step = current === "month" ? 1 : 12;
    const from = addMonths(anchor, k * step);
    k += 1;
    end = addMonths(anchor, k * step);
    payments.push({ start: from, end, interval: current, plan, covers: "period" });
  };
  const last = () => payments[payments.length - 1] as Payment;
  renew();
  return {
    payments,
    last,
    plan: () => plan,
    /** Renews every period that has ended by then, and returns the new payments. */
    renewUntil(now: Date): Payment[] {
      const before = payments.length;
      while (end <= now) renew();
      return payments.slice(before);
    },
    /** Changes the interval from now on and returns its first payment. Stripe starts a new anchor. */
    changeInterval(now: Date, to: Interval): Payment | null {
      if (current === to) return null;
      [anchor, current, k] = [now, to, 0];
      renew();
      return last();
    },
    /** Changes the plan within the period. A dearer one is paid for; null if nothing is. */
    changePlan(now: Date, to: Plan): Payment | null {
      const isDearer = plan === PLAN.planKey && to === TOP_PLAN.planKey;
      plan = to;
      if (!isDearer || now >= end) return null;
      payments.push({ start: now, end, interval: current, plan, covers: "upgrade" });
      return last();
    },
    schedule(to: Plan): void {
      next = to;
    },
  };
}
