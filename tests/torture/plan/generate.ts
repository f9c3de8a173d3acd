import { createRandom, partOf, type Random } from "../random";
import {
  type Arrival,
  AT_ONCE,
  type Cycle,
  type Disaster,
  LATE,
  type Operation,
  ROADS,
} from "./operations";
import { keptAfterAll, SCENES, type Scene, STEADY_SCENES, SUBSCRIBERS_SCENES } from "./scenes";
import { site, temperOf } from "./steps";

/** How much a run does at a time. */
interface Size {
  lives: number;
  parts: number;
  /** Steps of one account in one part. */
  steps: number;
  disasters: number;
}

export const SIZES = {
  small: { lives: 4, parts: 1, steps: 16, disasters: 2 },
  /** For hunts of two minutes: on two cores the first pause of a calm cycle comes within one, and its end within two. */
  middle: { lives: 8, parts: 2, steps: 24, disasters: 2 },
  /** A cycle has each fault of the machines, and each jump of time. It takes about a quarter of an hour. */
  full: { lives: 32, parts: 5, steps: 32, disasters: 6 },
} satisfies Record<string, Size>;

/**
 * A life begins with something to spend, and half of them with a key that a program spends it by. Plans are kept after all at
 * once: later an operator may be comparing the shop with its provider, so that nobody could say what is told first.
 */
function beginning(random: Random, isSubscriber: boolean): Operation[] {
  const at = site(random);
  const bought: Operation = isSubscriber
    ? { do: "subscribe", plan: 0, period: "month", code: null, arrival: AT_ONCE, at }
    : { do: "buy", pack: 0, code: null, currency: null, arrival: AT_ONCE, at };
  const kept = isSubscriber ? keptAfterAll(random) : [];
  const key: Operation[] = random.chance(0.5) ? [{ do: "key", limit: null, at }] : [];
  return [bought, ...kept, ...key];
}

/** Plans whose time is over are renewed first, however late it is told. Some payments fail, and most of those are made later. */
function opening(random: Random, changes: boolean): Operation[] {
  const fails = random.chance(0.3);
  const arrival = (): Arrival => (random.chance(0.7) ? AT_ONCE : { when: "later" });
  const renewal: Operation = { do: "renew", fails, arrival: arrival(), at: site(random) };
  if (fails && random.chance(0.6))
    return [renewal, { do: "collect", arrival: arrival(), at: site(random) }];
  // Nothing of the new period is away yet, so its plan may be changed.
  if (!changes || random.chance(0.5)) return [renewal];
  return [renewal, { do: "change", plan: random.int(0, 1), arrival: arrival(), at: site(random) }];
}

/** Scenes for the life of this number, so that those of eight lives are nearly all; the next cycle goes on. */
function dealScenes(random: Random, number: number, life: number): Operation[] {
  const scenes = scenesOf(life);
  const before = Array.from({ length: life }, (_, at) => scenesOf(at));
  const nth = before.filter((other) => other === scenes).length;
  return Array.from({ length: DEALT }, (_, more) => number + DEALT * nth + more).flatMap(
    (at) => scenes[at % scenes.length]?.(random) ?? [],
  );
}

/** Scenes with which a life begins. */
const DEALT = 3;

function scenesOf(life: number): readonly Scene[] {
  const { isSubscriber, changes } = temperOf(life);
  if (!isSubscriber) return SCENES;
  return changes ? SUBSCRIBERS_SCENES : STEADY_SCENES;
}

/** How often a scene comes instead of a single step. */
const SCENES_SHARE = 0.02;

/** Draws steps behind those that are given, until there are so many. */
function fill(random: Random, life: number, given: Operation[], steps: number): Operation[] {
  const { steps: own } = temperOf(life);
  const drawn = [...given];
  while (drawn.length < steps)
    if (random.chance(SCENES_SHARE)) drawn.push(...random.pick(scenesOf(life))(random));
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

/** All faults of the machines. They last for a second, two or four, where they don't say it themselves. */
export const DISASTERS = [
  ...([0, 1, "worker"] as const).map((target) => ({ do: "kill", target }) as const),
  ...[0.2, 1].map((share) => ({ do: "terminate", share }) as const),
  ...[1, 10].map((seconds) => ({ do: "stop database", seconds }) as const),
  { do: "fill storage" } as const,
  ...ROADS.flatMap((road) =>
    (["cut", "slow", "half", "away"] as const).map(
      (weather) => ({ do: "weather", road, weather }) as const,
    ),
  ),
];

/** Longer than any month. */
export const MONTH_HOURS = 24 * 32;
const SHORTER_HOURS = [1, 30, 24 * 8];
/** Hours that pass between two parts. */
export const HOURS = [...SHORTER_HOURS, MONTH_HOURS];

/** Deals the hours behind each part. Every other cycle begins with the month: a small one has few jumps. */
function dealHours(random: Random, number: number, parts: number): number[] {
  if (number % 2 === 1) return deal(random, HOURS, parts);
  return [MONTH_HOURS, ...deal(random, SHORTER_HOURS, parts - 1)];
}

/** Deals so many cards: each once, in any order, before any comes again. */
function deal<Card>(random: Random, deck: readonly Card[], count: number): Card[] {
  const dealt: Card[] = [];
  while (dealt.length < count) dealt.push(...random.shuffled([...deck]));
  return dealt.slice(0, count);
}

function dealDisasters(random: Random, { parts, disasters, lives, steps }: Size): Disaster[][] {
  const dealt = deal(random, DISASTERS, parts * disasters).map((kind) => ({
    ...{ after: random.int(1, lives * steps), seconds: random.pick([1, 2, 4]) },
    ...kind,
  }));
  return Array.from({ length: parts }, (_, part) =>
    dealt.slice(part * disasters, (part + 1) * disasters).toSorted((a, b) => a.after - b.after),
  );
}

/** The cycle of this number in a run with this seed. */
export function generateCycle(seed: number, number: number, size: Size): Cycle {
  const lives = Array.from({ length: size.lives }, (_, at) => {
    const random = createRandom(partOf(seed, number, at));
    const { isSubscriber, changes } = temperOf(at);
    const parts = Array.from({ length: size.parts }, (_, part) => {
      const given =
        part === 0
          ? [...beginning(random, isSubscriber), ...dealScenes(random, number, at)]
          : opening(random, changes);
      return [...fill(random, at, given, size.steps), ...leaving(random)];
    });
    return { name: `${number}-${at}`, parts };
  });
  const random = createRandom(partOf(seed, number, 1_000_003));
  const disasters = dealDisasters(random, size);
  return { lives, disasters, hours: dealHours(random, number, size.parts) };
}
