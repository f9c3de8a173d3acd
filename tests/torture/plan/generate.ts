import { createRandom, partOf, type Random } from "../random";
import {
  type Arrival,
  type Caller,
  type Cycle,
  type Disaster,
  IMAGE_FAULTS,
  type Operation,
  type Site,
  TEXT_FAULTS,
} from "./operations";

/** How much a run does at a time. */
export interface Size {
  lives: number;
  parts: number;
  /** Steps of one account in one part. */
  steps: number;
  disasters: number;
}

const site = (random: Random): Site => (random.chance(0.5) ? 0 : 1);
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

const runWay = (random: Random) => ({
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
  way: random.weighted([[5, "whole"] as const, [1, "async"] as const]),
});

/** Cheap questions come most often, as in life: each checks what was done before. */
const STEPS: readonly (readonly [number, (random: Random) => Operation])[] = [
  [160, (r) => ({ do: "credits", at: site(r), by: caller(r) })],
  [120, (r) => ({ do: "estimate", images: r.int(1, 4), at: site(r), by: caller(r) })],
  [120, (r) => ({ do: "run", back: r.int(0, 5), at: site(r), by: caller(r) })],
  [20, (r) => ({ do: "runs", at: site(r), by: caller(r) })],
  [260, (r) => ({ do: "redeliver", back: r.int(0, 8), copies: r.int(1, 6), at: site(r) })],
  [60, (r) => ({ do: "again", back: r.int(0, 3), changed: r.chance(0.3), at: site(r) })],
  [60, (r) => ({ do: "stranger", what: r.pick(["credits", "webhook", "cron"]), at: site(r) })],
  [6, (r) => ({ do: "page", page: r.pick(["overview", "credits", "csv"]), at: site(r) })],
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
      fault: r.chance(0.3) ? r.pick(TEXT_FAULTS) : null,
      ...runWay(r),
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
      at: site(r),
      by: caller(r),
    }),
  ],
  [
    3,
    (r) => ({
      do: "image",
      images: r.int(1, 4),
      fault: r.chance(0.4) ? r.pick(IMAGE_FAULTS) : null,
      ...runWay(r),
    }),
  ],
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
      back: r.int(0, 3),
      tenths: r.pick([1, 3, 5, 10]),
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
  [4, (r) => ({ do: "limit", credits: r.chance(0.4) ? null : r.int(1, 60), at: site(r) })],
  [2, (r) => ({ do: "key", limit: r.chance(0.5) ? null : r.int(1, 40), at: site(r) })],
  [3, (r) => ({ do: "maintain", at: site(r) })],
  [0.5, (r) => ({ do: "adjust", credits: r.pick([-40, -7, 15, 60]) })],
];

const AT_ONCE: Arrival = { when: "now", copies: 1, shuffled: false };

/** A life begins with something to spend, and half of them with a key that a program spends it by. */
function beginning(random: Random): Operation[] {
  const at = site(random);
  const bought: Operation = { do: "buy", pack: 0, code: null, arrival: AT_ONCE, at };
  return random.chance(0.5) ? [bought, { do: "key", limit: null, at }] : [bought];
}

function disaster(random: Random, most: number): Disaster {
  const after = random.int(1, most);
  const seconds = random.pick([1, 2, 4]);
  return random.weighted<() => Disaster>([
    [4, () => ({ after, do: "kill", target: random.pick([0, 1, "worker"] as const) })],
    [3, () => ({ after, do: "terminate", share: random.pick([0.2, 1]) })],
    [1, () => ({ after, do: "stop database", seconds: random.pick([1, 10]) })],
    [
      4,
      () => ({
        after,
        do: "weather",
        road: random.pick(["payments", "images", "texts", "storage", "mail"] as const),
        weather: random.pick(["cut", "slow", "half", "away"] as const),
        seconds,
      }),
    ],
  ])();
}

/** The cycle of this number in a run with this seed. */
export function generateCycle(seed: number, number: number, size: Size): Cycle {
  const lives = Array.from({ length: size.lives }, (_, at) => {
    const random = createRandom(partOf(seed, number, at));
    const parts = Array.from({ length: size.parts }, (_, part) => [
      ...(part === 0 ? beginning(random) : []),
      ...Array.from({ length: size.steps }, () => random.weighted(STEPS)(random)),
    ]);
    return { name: `${number}-${at}`, parts };
  });
  const random = createRandom(partOf(seed, number, 1_000_003));
  const most = size.lives * size.steps;
  const disasters = Array.from({ length: size.parts }, () =>
    Array.from({ length: size.disasters }, () => disaster(random, most)).sort(
      (a, b) => a.after - b.after,
    ),
  );
  const hours = Array.from({ length: size.parts }, () => random.pick([1, 30, 24 * 8, 24 * 32]));
  return { lives, disasters, hours };
}
