import { describe, expect, test } from "vitest";
import { DISASTERS, generateCycle, HOURS, MONTH_HOURS, SIZES } from "../torture/plan/generate";
import type { Cycle, Operation } from "../torture/plan/operations";
import { keptAfterAll, SCENES, STEADY_SCENES, SUBSCRIBERS_SCENES } from "../torture/plan/scenes";
import { createRandom } from "../torture/random";

const MIDDLE = SIZES.middle;

/** A step without the parts that are drawn: numbers, servers and moments. */
const kindOf = (step: Operation): string =>
  [
    step.do,
    "of" in step ? "returns" : "",
    "fault" in step ? (step.fault ?? "") : "",
    "crowd" in step ? step.crowd : "",
    "arrival" in step ? step.arrival.when : "",
    "credits" in step ? step.credits === null : "",
  ].join(" ");

const textOf = (steps: readonly Operation[]) => `|${steps.map(kindOf).join("|")}|`;

describe.each([0, 1, 2, 3, 4, 5, 6])("cycle %i of middle size", (number) => {
  test.each([1, 33, 4_711])(
    "plays every scene in its first part, whatever the seed (%i)",
    (seed) => {
      const { lives } = generateCycle(seed, number, MIDDLE);
      const played = lives.map(({ parts }) => textOf(parts[0] ?? []));
      for (const scene of [...SCENES, ...SUBSCRIBERS_SCENES]) {
        // A scene's draws change numbers alone.
        const wanted = textOf(scene(createRandom(1)));
        expect(played.filter((text) => text.includes(wanted))).not.toEqual([]);
      }
    },
  );
});

test("the same seed draws the same histories, and another one others", () => {
  const drawn = (seed: number) => JSON.stringify(generateCycle(seed, 0, MIDDLE));
  expect(drawn(33)).toBe(drawn(33));
  expect(drawn(34)).not.toBe(drawn(33));
});

test("each other cycle begins with a month, and each plan is kept after all before anything else is done", () => {
  for (const number of [0, 2, 4]) {
    const { lives, hours } = generateCycle(33, number, MIDDLE);
    expect(hours).toHaveLength(MIDDLE.parts);
    expect(hours[0]).toBe(MONTH_HOURS);
    const beginnings = lives
      .map(({ parts }) => parts[0]?.slice(0, 4) ?? [])
      .filter(([first]) => first?.do === "subscribe");
    expect(beginnings).toHaveLength(4);
    const kept = textOf(keptAfterAll(createRandom(1)));
    for (const [, ...next] of beginnings) expect(textOf(next)).toBe(kept);
  }
});

const drawnFull = [0, 1, 2].map((number) => generateCycle(33, number, SIZES.full));

test.each(drawnFull)(
  "a cycle of full size has each fault of the machines and each jump of time",
  ({ disasters, hours }) => {
    const kinds = disasters.flat().map((disaster) => ({ ...disaster, after: 0 }));
    for (const kind of DISASTERS) expect(kinds).toContainEqual(expect.objectContaining(kind));
    // Nothing happens after the last part, which is followed by a month of its own.
    for (const jump of HOURS) expect(hours.slice(0, -1)).toContain(jump);
  },
);

test("the scenes of those who stay come, too, and their plans are never changed", () => {
  const isSteady = ({ parts }: Cycle["lives"][number]) =>
    parts.flat().some((step) => step.do === "subscribe") &&
    parts.flat().every((step) => step.do !== "change");
  const steady = drawnFull.flatMap(({ lives }) => lives.filter((_, at) => [4, 6].includes(at % 8)));
  expect(steady.every(isSteady)).toBe(true);
  const played = steady.map(({ parts }) => textOf(parts[0] ?? []));
  for (const scene of STEADY_SCENES) {
    const wanted = textOf(scene(createRandom(1)));
    expect(played.some((text) => text.includes(wanted))).toBe(true);
  }
});

test("scenes take a part's steps, and add none", () => {
  for (const { parts } of generateCycle(33, 0, MIDDLE).lives)
    for (const steps of parts) expect(steps.length).toBeLessThanOrEqual(MIDDLE.steps + 7);
});
