import type { Cycle, Operation } from "./plan/operations";

interface Shrinking {
  /** Plays a history, and says whether it still ends with the fault. */
  fails(history: Cycle): Promise<boolean>;
  /** Whether there is time for one more. */
  hasTime(): boolean;
  /** The name of the account that was wrong, which is tried alone; null if no one was. */
  suspect: string | null;
}

/** One step and its place, so that any of them can be left out. */
interface Placed {
  life: number;
  part: number;
  operation: Operation;
}

/**
 * Returns the smallest history that was found to fail like this one: without the machines' faults, without the other
 * accounts, and then without any steps that aren't needed (delta debugging). Each one that it returns was played and failed, or is the first.
 */
export async function shrink(history: Cycle, shrinking: Shrinking): Promise<Cycle> {
  let smallest = history;
  const tryOne = async (smaller: Cycle) => {
    if (!shrinking.hasTime() || !(await shrinking.fails(smaller))) return;
    smallest = smaller;
  };
  const { suspect } = shrinking;
  const alone = history.lives.filter(({ name }) => name === suspect);
  const calm = { ...history, disasters: [] };
  if (alone.length > 0) await tryOne({ ...calm, lives: alone });
  if (smallest === history && history.disasters.flat().length > 0) await tryOne(calm);
  if (smallest.lives.length > 1) {
    const lives = await reduce(smallest.lives, shrinking, (rest) => ({ ...smallest, lives: rest }));
    smallest = { ...smallest, lives };
  }
  for (let parts = smallest.hours.length - 1; parts > 0; parts -= 1) {
    const before = smallest;
    await tryOne(firstParts(smallest, parts));
    if (smallest === before) break;
  }
  const whole = smallest;
  const steps = await reduce(placed(whole), shrinking, (rest) => withSteps(whole, rest));
  return withSteps(whole, steps);
}

/** Leaves out halves, then quarters, down to single items, as long as what is left fails. */
async function reduce<Item>(
  items: readonly Item[],
  { fails, hasTime }: Shrinking,
  made: (rest: Item[]) => Cycle,
): Promise<Item[]> {
  let kept = [...items];
  let pieces = 2;
  while (kept.length >= 2 && hasTime()) {
    const size = Math.ceil(kept.length / pieces);
    let isSmaller = false;
    for (let from = 0; from < kept.length && hasTime(); from += size) {
      const rest = [...kept.slice(0, from), ...kept.slice(from + size)];
      if (!(await fails(made(rest)))) continue;
      kept = rest;
      isSmaller = true;
      break;
    }
    if (isSmaller) pieces = Math.max(2, pieces - 1);
    else if (size === 1) break;
    else pieces = Math.min(kept.length, pieces * 2);
  }
  return kept;
}

const firstParts = ({ lives, disasters, hours }: Cycle, parts: number): Cycle => ({
  lives: lives.map((life) => ({ ...life, parts: life.parts.slice(0, parts) })),
  disasters: disasters.slice(0, parts),
  hours: hours.slice(0, parts),
});

const placed = ({ lives }: Cycle): Placed[] =>
  lives.flatMap(({ parts }, life) =>
    parts.flatMap((steps, part) => steps.map((operation) => ({ life, part, operation }))),
  );

const withSteps = (history: Cycle, steps: readonly Placed[]): Cycle => ({
  ...history,
  lives: history.lives.map((own, life) => ({
    ...own,
    parts: own.parts.map((_, part) =>
      steps
        .filter((step) => step.life === life && step.part === part)
        .map((step) => step.operation),
    ),
  })),
});

/** A fault without what differs from one history to the next: ids and numbers. */
export const kindOf = (fault: string): string =>
  fault
    .split("\n", 1)
    .join("")
    .replaceAll(/\b\w*\d\w*(?:-\w+)*\b/g, "#");

/** Writes a history as a test to paste. */
export function asTest(
  history: Cycle,
  { fault, ...run }: { fault: string; provider: string; seed: number },
): string[] {
  const [first = ""] = fault.split("\n");
  return [
    'import { expect, test } from "vitest";',
    'import { NO_FAULT, playHistory, TORTURE_MS } from "../../helpers/torture";',
    "",
    `test(${JSON.stringify(first)}, { timeout: TORTURE_MS }, async () => {`,
    `  const history = ${JSON.stringify({ ...history, ...run }, null, 2).replaceAll("\n", "\n  ")};`,
    "  expect(await playHistory(history)).toMatch(NO_FAULT);",
    "});",
  ];
}
