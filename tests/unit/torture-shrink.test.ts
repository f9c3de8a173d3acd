import fc from "fast-check";
import { expect, test } from "vitest";
import type { Cycle, Operation } from "../torture/plan/operations";
import { asTest, kindOf, shrink } from "../torture/shrink";

const step = (back: number): Operation => ({ do: "run", back, at: 0, by: "session" });
const numbersOf = ({ lives }: Cycle) =>
  lives.flatMap(({ parts }) =>
    parts.flat().flatMap((operation) => (operation.do === "run" ? [operation.back] : [])),
  );

const history = (steps: number[][][]): Cycle => ({
  lives: steps.map((parts, at) => ({
    name: `life ${at}`,
    parts: parts.map((one) => one.map(step)),
  })),
  disasters: [[{ after: 1, do: "terminate", share: 1 }]],
  hours: Array.from({ length: steps[0]?.length ?? 0 }, () => 1),
});

const always = { hasTime: () => true, suspect: null };

test("of any history that fails by some of its steps, just these steps are left", async () => {
  const parts = fc.array(fc.array(fc.nat(), { maxLength: 12 }), { minLength: 2, maxLength: 2 });
  const lives = fc.array(parts, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(lives, fc.infiniteStream(fc.nat()), async (steps, picks) => {
      let next = 0;
      const numbered = history(steps.map((own) => own.map((part) => part.map(() => next++))));
      const wanted = new Set([...picks.take(3)].map((pick) => (next === 0 ? 0 : pick % next)));
      if (next === 0) return;
      const fails = async (one: Cycle) =>
        [...wanted].every((pick) => numbersOf(one).includes(pick));
      const smallest = await shrink(numbered, { ...always, fails });
      expect(new Set(numbersOf(smallest))).toEqual(wanted);
      expect(numbersOf(smallest)).toHaveLength(wanted.size);
      expect(smallest.disasters.flat()).toEqual([]);
    }),
  );
});

test("without more time the smallest history so far is kept, and it failed", async () => {
  let played = 0;
  const failing: string[] = [];
  const smallest = await shrink(history([[[1, 2, 3, 4, 5, 6, 7, 8]]]), {
    suspect: "life 0",
    hasTime: () => played < 3,
    async fails(one) {
      played += 1;
      if (numbersOf(one).includes(3)) failing.push(JSON.stringify(one));
      return numbersOf(one).includes(3);
    },
  });
  expect([played, failing.at(-1)]).toEqual([3, JSON.stringify(smallest)]);
});

test("a history that needs the machines' faults keeps them", async () => {
  const smallest = await shrink(history([[[1, 2]]]), {
    ...always,
    fails: async (one) => one.disasters.flat().length > 0 && numbersOf(one).includes(2),
  });
  expect([numbersOf(smallest), smallest.disasters.flat()]).toMatchObject([[2], [{ after: 1 }]]);
});

test("two faults are the same whatever ids and numbers they name", () => {
  expect(kindOf("run 0af3-12 cost 3, and then 4\nmore")).toBe(
    kindOf("run 9b-7 cost 13, and then 1"),
  );
  expect(kindOf("a run cost 3")).not.toBe(kindOf("a lot holds 3"));
});

test("a history is printed as a test that plays it", () => {
  const one = history([[[1]]]);
  const text = asTest(one, { fault: 'it said "no"\nand more', provider: "stripe", seed: 7 }).join(
    "\n",
  );
  const [, written = ""] = /const history = ([\s\S]*?);\n {2}expect/.exec(text) ?? [];
  expect(JSON.parse(written)).toEqual({ ...one, provider: "stripe", seed: 7 });
  expect(text).toContain('test("it said \\"no\\"", ');
});
