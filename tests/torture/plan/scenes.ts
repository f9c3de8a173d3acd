import type { Random } from "../random";
import { type Arrival, AT_ONCE, type Operation } from "./operations";
import { reconcile, replay, site } from "./steps";

// Steps that belong together. Each needs an order of facts that single draws meet too rarely.

export type Scene = (random: Random) => Operation[];

const LATER: Arrival = { when: "later" };
const DISPUTED = 5;

const buy = (random: Random, arrival: Arrival = AT_ONCE): Operation => ({
  ...{ do: "buy", pack: 0, code: null, currency: null, arrival, at: site(random) },
});

function goBack(
  random: Random,
  {
    of,
    tenths,
    back = 0,
    arrival = AT_ONCE,
  }: { of: "refund" | "dispute"; tenths: number; back?: number; arrival?: Arrival },
): Operation {
  return { do: "return", of, back, tenths, arrival, at: site(random) };
}

const settle = (random: Random, well: boolean): Operation => ({
  ...{ do: "settle", back: 0, well, arrival: AT_ONCE, at: site(random) },
});

const late = (random: Random): Operation => ({
  ...{ do: "late", order: random.int(1, 1_000_000), copies: 1, at: site(random) },
});

const alone = (random: Random) => ({
  ...({ at: site(random), by: "session", copies: 1, crowd: 1, way: "whole" } as const),
});

/** Several lots. Those of the last purchases before hold less than an image costs or just that, so that the next run spans them. */
const smallLots: Scene = (random) => [
  ...[2, 1, 0].map((back) => goBack(random, { of: "refund", tenths: 9, back })),
  ...[buy(random), goBack(random, { of: "refund", tenths: 9 }), buy(random)],
];

/**
 * More begin at once than the month's limit has room for: one, at both servers, so that two have to meet within a moment. One
 * try in four or so meets.
 */
const atTheLimit: Scene = (random) => {
  const image: Operation = { do: "image", images: 1, fault: null, ...alone(random), crowd: 6 };
  const text: Operation = {
    ...{ do: "text", tokens: 5, most: null, fault: null, ...alone(random), crowd: 12 },
  };
  const roomFor = (credits: number): Operation => ({
    ...{ do: "limit", credits, more: true, at: site(random) },
  });
  return [
    ...[1, 2].flatMap(() => [roomFor(random.int(10, 19)), image]),
    ...[1, 2, 3, 4, 5].flatMap(() => [roomFor(1), text]),
    { do: "limit", credits: null, more: false, at: site(random) },
  ];
};

/** A sum goes back, comes back, and goes back once more. */
const thereAndBack: Scene = (random) => {
  const of = random.pick(["refund", "dispute"] as const);
  const tenths = random.pick([3, 5, 10]);
  return [
    ...[buy(random), goBack(random, { of, tenths })],
    ...[settle(random, of === "dispute"), goBack(random, { of, tenths })],
  ];
};

/** Runs at both servers at once, over lots that end within them. */
const crowd: Scene = (random) => [
  ...smallLots(random),
  { do: "image", images: 1, fault: null, ...alone(random), crowd: 4 },
  { do: "image", images: 2, fault: null, ...alone(random), crowd: 4 },
];

/** A dispute is won before anybody hears that it began. */
const wonFirst: Scene = (random) => [
  buy(random),
  goBack(random, { of: "dispute", tenths: DISPUTED, arrival: LATER }),
  ...[settle(random, true), late(random)],
];

/** Texts that cost more than one credit. One's reader leaves while it is written, and one is counted ten times by its provider. */
const longTexts: Scene = (random) => [
  { do: "stream", tokens: 1_500, leaveAfter: 400, fault: null, at: site(random), by: "session" },
  { do: "text", tokens: 1_100, most: null, fault: "usage_much", ...alone(random) },
  { do: "text", tokens: 1_100, most: null, fault: null, ...alone(random) },
];

/** A run that spans lots makes less than it was to. */
const partOfIt: Scene = (random) => [
  ...smallLots(random),
  { do: "image", images: 4, fault: "partial", ...alone(random) },
];

/** The spent part of a purchase goes back with it. */
const spentAndBack: Scene = (random) => [
  { do: "image", images: 4, fault: null, ...alone(random) },
  goBack(random, { of: "refund", tenths: 10 }),
];

/** An operator's comparison brings what was kept back, or meets it. Then it arrives, and brings nothing more. */
const compared: Scene = (random) => [
  buy(random, LATER),
  goBack(random, { of: "refund", tenths: random.pick([3, 5, 10]), arrival: LATER }),
  ...[reconcile(random), late(random)],
];

/** Deliveries that nobody may believe, and one that fails, which an operator has tried again. */
const refusedAndTriedAgain: Scene = (random) => [
  ...(["unsigned", "forged", "stale"] as const).map(
    (what): Operation => ({ do: "stranger", what, at: site(random) }),
  ),
  buy(random, LATER),
  replay(random, "failed"),
  { do: "redeliver", back: 0, copies: 2, at: site(random) },
];

/** Nothing is wrong, and an operator repairs it. */
const nothingToRepair: Scene = (random) => [
  ...[buy(random), { do: "repair" } as const, replay(random, "applied")],
  { do: "retry", what: random.pick(["jobs", "emails"]) },
];

/** An account with files is deleted, and its owner comes back. */
const deletedWithFiles: Scene = (random) => [
  { do: "upload", at: site(random) },
  { do: "image", images: 1, fault: null, ...alone(random) },
  { do: "delete", at: site(random) },
  buy(random),
];

/** A new account's spends lead below the mark, and a kept card is charged: once, since the month's amount allows no more. */
const toppedUp: Scene = (random) => [
  { do: "delete", at: site(random) },
  buy(random),
  { do: "top up", mark: 99, packs: 1, card: "4242", arrival: AT_ONCE, at: site(random) },
  { do: "image", images: 1, fault: null, ...alone(random) },
  // Meanwhile the card is charged.
  { do: "image", images: 1, fault: "slow", ...alone(random) },
  late(random),
  ...[1, 2, 3].map((): Operation => ({ do: "image", images: 4, fault: null, ...alone(random) })),
];

/** Lives that pay with packs play them in turns, so the order says what meets a new account. */
export const SCENES: readonly Scene[] = [
  ...[atTheLimit, thereAndBack, crowd, wonFirst, longTexts, partOfIt, spentAndBack],
  ...[compared, refusedAndTriedAgain, nothingToRepair, deletedWithFiles, toppedUp],
];

/** The customer decides at the provider, and the first decision is told last. */
export const keptAfterAll: Scene = (random) => [
  { do: "portal", what: "end", arrival: LATER, at: site(random) },
  { do: "portal", what: "keep", arrival: AT_ONCE, at: site(random) },
  late(random),
];

const planThereAndBack: Scene = (random) => {
  const of = random.pick(["refund", "dispute"] as const);
  const goes: Operation = {
    ...{ do: "plan return", of, tenths: random.pick([3, 5]), arrival: AT_ONCE, at: site(random) },
  };
  return [goes, settle(random, of === "dispute"), goes];
};

/** The plan's end and a payment's return are told by an operator's comparison first. */
const planCompared: Scene = (random) => [
  { do: "portal", what: "end", arrival: LATER, at: site(random) },
  { do: "plan return", of: "refund", tenths: 3, arrival: LATER, at: site(random) },
  ...[reconcile(random), late(random)],
];

/** The events of a plan fail, one after the other, and are tried again in another order. */
const planTriedAgain: Scene = (random) => [
  { do: "portal", what: "end", arrival: LATER, at: site(random) },
  { do: "portal", what: "keep", arrival: LATER, at: site(random) },
  ...[replay(random, "failed"), replay(random, "failed"), late(random)],
];

const change = (random: Random, plan: number, arrival: Arrival = AT_ONCE): Operation => ({
  ...{ do: "change", plan, arrival, at: site(random) },
});

/** A dearer plan at once, and back to the smaller one with the period's end. */
const planChanged: Scene = (random) => [
  change(random, 1),
  { do: "image", images: 1, fault: null, ...alone(random) },
  change(random, 0),
];

/** The payment of a change goes back while nobody has told of the change, and comes back. */
const changeAndBack: Scene = (random) => [
  change(random, 1, LATER),
  { do: "plan return", of: "dispute", tenths: 5, arrival: LATER, at: site(random) },
  ...[settle(random, true), late(random)],
];

/** Scenes of subscribers. Money that is away locks a plan, so changes come first. */
export const SUBSCRIBERS_SCENES: readonly Scene[] = [
  ...[planChanged, keptAfterAll, planThereAndBack],
  ...[changeAndBack, planTriedAgain, planCompared],
];

/** Scenes of those who stay with their plan. Each of its months is judged, where after a change only the most is. */
export const STEADY_SCENES: readonly Scene[] = [
  ...[keptAfterAll, planThereAndBack, planTriedAgain, planCompared],
];
