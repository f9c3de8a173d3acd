/** Counts what was judged, and what was broken meanwhile, by kind. */
export interface Tally {
  count(kind: string, times?: number): void;
  disaster(kind: string, times?: number): void;
  /** A step of an account was taken; most are several operations. */
  step(): void;
  operations(): number;
  /** Lines for people, most frequent first. */
  lines(): string[];
}

export function createTally(): Tally {
  const judged = new Map<string, number>();
  const disasters = new Map<string, number>();
  let steps = 0;
  const add = (to: Map<string, number>, kind: string, times = 1) =>
    void to.set(kind, (to.get(kind) ?? 0) + times);
  const describe = (counts: Map<string, number>) =>
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([kind, count]) => `${String(count).padStart(8)}  ${kind}`);
  return {
    count: (kind, times) => add(judged, kind, times),
    disaster: (kind, times) => add(disasters, kind, times),
    step: () => {
      steps += 1;
    },
    operations: () => [...judged.values()].reduce((sum, count) => sum + count, 0),
    lines: () => [
      ...describe(judged),
      ...describe(disasters).map((line) => `${line} (fault)`),
      `${steps} steps of accounts`,
    ],
  };
}
