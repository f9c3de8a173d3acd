import type { Random } from "../random";
import {
  type Arrival,
  CARDS,
  type Caller,
  ENDLESS,
  IMAGE_FAULTS,
  type Operation,
  type Site,
  TEXT_FAULTS,
} from "./operations";

export const site = (random: Random): Site => (random.chance(0.5) ? 0 : 1);
const caller = (random: Random): Caller => (random.chance(0.3) ? "key" : "session");

function arrival(random: Random): Arrival {
  if (random.chance(0.25)) return { when: "later" };
  return {
    when: "now",
    copies: random.weighted([
      [6, 1],
      [3, 2],
      [1, 4],
    ]),
    shuffled: random.chance(0.5),
  };
}

const operators = (random: Random) =>
  random.weighted([
    [3, 1],
    [1, 2],
  ]);

/** Starting a program takes about half a second, and reading what is there some more. */
const meanwhile = (random: Random) => (random.chance(0.4) ? random.pick([300, 600, 900]) : null);

export const reconcile = (random: Random): Operation => ({
  do: "reconcile",
  whose: random.chance(0.7) ? "own" : "all",
  copies: operators(random),
  meanwhile: meanwhile(random),
  at: site(random),
});

export const replay = (random: Random, what: "applied" | "failed"): Operation => ({
  ...{ do: "replay", what, back: random.int(0, 5), copies: operators(random), at: site(random) },
});

/** Draws a fault; seldom one that a run waits for until its time is over. */
const fault = <Fault extends string>(random: Random, faults: readonly Fault[]): Fault =>
  random.weighted(faults.map((one) => [ENDLESS.has(one) ? 1 : 8, one] as const));

const runWay = <Fault extends string>(random: Random, fault: Fault | null) => ({
  fault,
  at: site(random),
  by: caller(random),
  copies: random.weighted([
    [8, 1],
    [2, 2],
    [1, 3],
  ]),
  crowd: random.weighted([
    [12, 1],
    [1, 4],
  ]),
  // An asynchronous run has ten minutes.
  way: random.weighted([
    [5, "whole" as const],
    [fault !== null && ENDLESS.has(fault) ? 0 : 1, "async" as const],
  ]),
});

const KINDS = ["questions", "runs", "money", "own", "plans", "changes"] as const;
type Kind = (typeof KINDS)[number];
type Step = readonly [weight: number, draw: (random: Random) => Operation];

/** Kinds of steps. Cheap questions come most often, as in life: each checks what was done before. */
const STEPS: Record<Kind, readonly Step[]> = {
  questions: [
    [160, (r) => ({ do: "credits", at: site(r), by: caller(r) })],
    [120, (r) => ({ do: "estimate", images: r.int(1, 4), at: site(r), by: caller(r) })],
    [120, (r) => ({ do: "run", back: r.int(0, 5), at: site(r), by: caller(r) })],
    [20, (r) => ({ do: "runs", at: site(r), by: caller(r) })],
    [260, (r) => ({ do: "redeliver", back: r.int(0, 8), copies: r.int(1, 6), at: site(r) })],
    [60, (r) => ({ do: "again", back: r.int(0, 3), changed: r.chance(0.3), at: site(r) })],
    [
      60,
      (r) => ({
        do: "stranger",
        what: r.pick(["credits", "unsigned", "forged", "stale", "cron"]),
        at: site(r),
      }),
    ],
    [6, (r) => ({ do: "page", page: r.pick(["overview", "credits", "csv"]), at: site(r) })],
  ],
  runs: [
    [
      60,
      (r) => ({
        do: "text",
        tokens: r.weighted([
          [10, 5],
          [10, 40],
          [1, 1_100],
          [1, 2_300],
        ]),
        most: r.chance(0.5) ? r.pick([10, 1_000, 4_000]) : null,
        ...runWay(r, r.chance(0.3) ? fault(r, TEXT_FAULTS) : null),
      }),
    ],
    [
      10,
      (r) => ({
        do: "stream",
        tokens: r.weighted([
          [6, 20],
          [1, 1_500],
        ]),
        leaveAfter: r.chance(0.4) ? r.pick([1, 400, 3_000]) : null,
        fault: r.chance(0.3) ? fault(r, TEXT_FAULTS) : null,
        at: site(r),
        by: caller(r),
      }),
    ],
    [
      3,
      (r) => ({
        do: "image",
        images: r.int(1, 4),
        ...runWay(r, r.chance(0.4) ? fault(r, IMAGE_FAULTS) : null),
      }),
    ],
  ],
  money: [
    [
      9,
      (r) => ({
        do: "buy",
        pack: r.weighted([
          [6, 0],
          [2, 1],
          [1, 2],
        ]),
        code: r.weighted([
          [8, null],
          [1, "HALF" as const],
          [1, "FREE" as const],
        ]),
        currency: r.chance(0.2) ? r.pick(["eur", "jpy"]) : null,
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [
      9,
      (r) => ({
        do: "return",
        of: r.weighted([
          [3, "refund" as const],
          [2, "dispute" as const],
        ]),
        back: r.pick([0, 0, 1, 3]),
        tenths: r.pick([1, 3, 5, 10, 10]),
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [
      8,
      (r) => ({
        do: "settle",
        back: r.int(0, 3),
        well: r.chance(0.5),
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [6, (r) => ({ do: "late", order: r.int(1, 1_000_000), copies: r.int(1, 3), at: site(r) })],
    [0.2, reconcile],
    [0.2, (r) => replay(r, "failed")],
  ],
  own: [
    [
      4,
      (r) => ({
        do: "limit",
        credits: r.chance(0.4) ? null : r.int(1, 60),
        more: r.chance(0.5),
        at: site(r),
      }),
    ],
    [2, (r) => ({ do: "key", limit: r.chance(0.5) ? null : r.int(1, 40), at: site(r) })],
    [0.5, (r) => ({ do: "revoke", at: site(r) })],
    [
      3,
      (r) => ({
        do: "maintain",
        job: r.pick(["maintenance", "subscription-credits"]),
        at: site(r),
      }),
    ],
    [3, (r) => ({ do: "upload", at: site(r) })],
    [1, (r) => ({ do: "discard", back: r.int(0, 3), at: site(r) })],
    [0.3, (r) => ({ do: "delete", at: site(r) })],
    [0.5, (r) => ({ do: "adjust", credits: r.pick([-40, -7, 15, 60]) })],
    // A command is a process, and as dear as a hundred questions.
    [0.4, () => ({ do: "repair" })],
    [0.4, (r) => replay(r, "applied")],
    [0.3, (r) => ({ do: "retry", what: r.pick(["jobs", "emails"]) })],
  ],
  plans: [
    [
      3,
      (r) => ({
        do: "top up",
        mark: r.int(1, 99),
        packs: r.int(1, 3),
        card: r.chance(0.7) ? CARDS[0] : r.pick(CARDS),
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [
      6,
      (r) => ({
        do: "subscribe",
        plan: r.int(0, 1),
        period: r.weighted([
          [3, "month" as const],
          [1, "year" as const],
        ]),
        code: r.chance(0.2) ? r.pick(["HALF", "FREE"]) : null,
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [3, (r) => ({ do: "collect", arrival: arrival(r), at: site(r) })],
    [5, (r) => ({ do: "cancel", at: site(r), arrival: arrival(r) })],
    [5, (r) => ({ do: "resume", at: site(r), arrival: arrival(r) })],
    [6, (r) => ({ do: "portal", what: r.pick(["end", "keep"]), arrival: arrival(r), at: site(r) })],
    [
      5,
      (r) => ({
        do: "plan return",
        of: r.pick(["refund", "dispute"]),
        tenths: r.pick([1, 3, 5, 10]),
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [
      4,
      (r) => ({
        do: "settle",
        back: r.int(0, 3),
        well: r.chance(0.5),
        arrival: arrival(r),
        at: site(r),
      }),
    ],
    [4, (r) => ({ do: "late", order: r.int(1, 1_000_000), copies: r.int(1, 3), at: site(r) })],
    [0.2, reconcile],
    [0.2, (r) => replay(r, "failed")],
  ],
  changes: [[6, (r) => ({ do: "change", plan: r.int(0, 1), arrival: arrival(r), at: site(r) })]],
};

/** How much more often than usual somebody does what. */
type Temper = Record<Kind, number>;

/** People differ, so that each life does some things often enough to meet what is rare between them. */
const ASKS: Temper = { questions: 1, runs: 1, money: 1, own: 1, plans: 0.2, changes: 0.2 };
const TAKES_BACK: Temper = { questions: 0.1, runs: 1, money: 12, own: 1, plans: 0, changes: 0 };
const SPENDS: Temper = { questions: 0.3, runs: 4, money: 1, own: 3, plans: 0.2, changes: 0.2 };
const CHANGES: Temper = { questions: 0.1, runs: 1, money: 0.5, own: 1, plans: 12, changes: 12 };
/** Each month of a plan that is never changed is judged; of the others only the most that it may bring. */
const STAYS: Temper = { ...CHANGES, changes: 0 };
/** A subscriber who does everything now and then, so that something is left when a month ends. */
const LIVES_ON: Temper = { questions: 1, runs: 1, money: 1, own: 1, plans: 1.5, changes: 0 };

const TEMPERS = [ASKS, TAKES_BACK, SPENDS, CHANGES, LIVES_ON, TAKES_BACK, STAYS, CHANGES];

/** The way in which the life of this number in a cycle chooses steps: all ways take turns. */
export function temperOf(life: number): {
  isSubscriber: boolean;
  /** Whether its plans are ever changed. */
  changes: boolean;
  steps: readonly Step[];
} {
  const temper = TEMPERS[life % TEMPERS.length];
  if (!temper) throw new Error("there are no tempers");
  const steps = KINDS.flatMap((kind) =>
    STEPS[kind].map(([weight, draw]): Step => [weight * temper[kind], draw]),
  );
  return { isSubscriber: temper.plans > 1, changes: temper.changes > 0, steps };
}
