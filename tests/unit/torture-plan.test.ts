import { describe, expect, test } from "vitest";
import { generateCycle } from "../torture/plan/generate";
import type { Operation } from "../torture/plan/operations";
import { SCENES, SUBSCRIBERS_SCENES } from "../torture/plan/scenes";
import { createRandom } from "../torture/random";

const MIDDLE = { lives: 8, parts: 3, steps: 40, disasters: 2 };

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

test("scenes take a part's steps, and add none", () => {
  for (const { parts } of generateCycle(33, 0, MIDDLE).lives)
    for (const steps of parts) expect(steps.length).toBeLessThanOrEqual(MIDDLE.steps + 7);
});
