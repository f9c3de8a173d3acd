import { createRandom, partOf, type Random } from "../random";
import {
  type Arrival,
  AT_ONCE,
  type Cycle,
  type Disaster,
  LATE,
  type Operation,
} from "./operations";
import { SCENES, SUBSCRIBERS_SCENES } from "./scenes";
import { site, temperOf } from "./steps";

/** How much a run does at a time. */
export interface Size {
  lives: number;
  parts: number;
  /** Steps of one account in one part. */
  steps: number;
  disasters: number;
}

/** A life begins with something to spend, and half of them with a key that a program spends it by. */
function beginning(random: Random, isSubscriber: boolean): Operation[] {
  const at = site(random);
  const bought: Operation = isSubscriber
    ? { do: "subscribe", plan: 0, period: "month", code: null, arrival: AT_ONCE, at }
    : { do: "buy", pack: 0, code: null, currency: null, arrival: AT_ONCE, at };
  return random.chance(0.5) ? [bought, { do: "key", limit: null, at }] : [bought];
}

/** Plans whose time is over are renewed first, however late it is told. Some payments fail, and most of those are made later. */
function opening(random: Random): Operation[] {
  const fails = random.chance(0.3);
  const arrival = (): Arrival => (random.chance(0.7) ? AT_ONCE : { when: "later" });
  const renewal: Operation = { do: "renew", fails, arrival: arrival(), at: site(random) };
  if (fails && random.chance(0.6))
    return [renewal, { do: "collect", arrival: arrival(), at: site(random) }];
  // Nothing of the new period is away yet, so its plan may be changed.
  if (random.chance(0.5)) return [renewal];
  return [renewal, { do: "change", plan: random.int(0, 1), arrival: arrival(), at: site(random) }];
}

/** Two scenes, or a subscriber's three, for the life of this number, so that those of eight lives are all; the next cycle goes on. */
function dealScenes(random: Random, number: number, life: number): Operation[] {
  const { isSubscriber } = temperOf(life);
  const scenes = isSubscriber ? SUBSCRIBERS_SCENES : SCENES;
  const before = Array.from({ length: life }, (_, at) => temperOf(at));
  const nth = before.filter((other) => other.isSubscriber === isSubscriber).length;
  const share = isSubscriber ? 3 : 2;
  return Array.from({ length: share }, (_, more) => number + share * nth + more).flatMap(
    (at) => scenes[at % scenes.length]?.(random) ?? [],
  );
}

/** How often a scene comes instead of a single step. */
const SCENES_SHARE = 0.02;

/** Draws steps behind those that are given, until there are so many. */
function fill(random: Random, life: number, given: Operation[], steps: number): Operation[] {
  const { isSubscriber, steps: own } = temperOf(life);
  const drawn = [...given];
  while (drawn.length < steps)
    if (random.chance(SCENES_SHARE))
      drawn.push(...random.pick(isSubscriber ? SUBSCRIBERS_SCENES : SCENES)(random));
    else drawn.push(random.weighted(own)(random));
  return drawn;
}

/**
 * Some leave while a provider still works. A slow one knows the run, so that any process gets its result; the response of
 * one that is late comes when the run is over.
 */
function leaving(random: Random): Operation[] {
  const once = { at: site(random), by: "session", copies: 1, crowd: 1, way: "async" } as const;
  return random.weighted<Operation[]>([
    [4, []],
    [3, [{ do: "image", images: 1, fault: "slow", ...once }]],
    [3, [{ do: "text", tokens: 5, most: 10, fault: LATE, ...once }]],
  ]);
}

function disaster(random: Random, most: number): Disaster {
  const after = random.int(1, most);
  const seconds = random.pick([1, 2, 4]);
  return random.weighted<() => Disaster>([
    [4, () => ({ after, do: "kill", target: random.pick([0, 1, "worker"] as const) })],
    [3, () => ({ after, do: "terminate", share: random.pick([0.2, 1]) })],
    [1, () => ({ after, do: "stop database", seconds: random.pick([1, 10]) })],
    [1, () => ({ after, do: "fill storage", seconds })],
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
    const { isSubscriber } = temperOf(at);
    const parts = Array.from({ length: size.parts }, (_, part) => {
      const given =
        part === 0
          ? [...beginning(random, isSubscriber), ...dealScenes(random, number, at)]
          : opening(random);
      return [...fill(random, at, given, size.steps), ...leaving(random)];
    });
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
