import { createRandom, partOf, type Random } from "../random";
import type { Arrival, Cycle, Disaster, Operation } from "./operations";
import { site, temperOf } from "./steps";

/** How much a run does at a time. */
export interface Size {
  lives: number;
  parts: number;
  /** Steps of one account in one part. */
  steps: number;
  disasters: number;
}

const AT_ONCE: Arrival = { when: "now", copies: 1, shuffled: false };

/** A life begins with something to spend, and half of them with a key that a program spends it by. */
function beginning(random: Random, isSubscriber: boolean): Operation[] {
  const at = site(random);
  const bought: Operation = isSubscriber
    ? { do: "subscribe", plan: 0, period: "month", arrival: AT_ONCE, at }
    : { do: "buy", pack: 0, code: null, arrival: AT_ONCE, at };
  return random.chance(0.5) ? [bought, { do: "key", limit: null, at }] : [bought];
}

/** Plans whose time is over are renewed first, however late it is told. */
const opening = (random: Random): Operation => ({
  do: "renew",
  arrival: random.chance(0.7) ? AT_ONCE : { when: "later" },
  at: site(random),
});

/** Some leave while a slow provider still works, so that its response comes when the run's time is over. */
function leaving(random: Random): Operation[] {
  if (!random.chance(0.3)) return [];
  const once = { at: site(random), copies: 1, crowd: 1 };
  return [{ do: "image", images: 1, fault: "slow", by: "session", way: "async", ...once }];
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
    const { isSubscriber, steps } = temperOf(at);
    const parts = Array.from({ length: size.parts }, (_, part) => [
      ...(part === 0 ? beginning(random, isSubscriber) : [opening(random)]),
      ...Array.from({ length: size.steps }, () => random.weighted(steps)(random)),
      ...leaving(random),
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
