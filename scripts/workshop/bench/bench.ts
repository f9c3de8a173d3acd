import type { BenchServer } from "./bench-server";

/** A value over all rounds. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** One measurement beside its baseline, with its goal. */
export interface Figure {
  /** The measurement's name: `100,000 due, granted`. */
  what: string;
  /** The baseline's name: `one SQL statement`. */
  against: string;
  /** Unit of both: requests a second, milliseconds, megabytes or kilobytes. */
  unit: "/s" | "ms" | "MB" | "kB";
  measured: Spread;
  reference: Spread;
  /** `measured` divided by the baseline: the median over the rounds. */
  ratio: number;
  /** Of the ratio; `measuredAtMost` of what was measured. Null for a figure that is only shown. */
  goal: { atLeast: number } | { atMost: number } | { measuredAtMost: number } | null;
}

export interface BenchContext {
  server: BenchServer;
  /** The folder of another build of the project, for `beside`. */
  beside?: string | undefined;
  /** Scales a count down for a trial run; never below `least`. */
  scaled(count: number, least?: number): number;
  /** Prints one line of progress. */
  onProgress(line: string): void;
}

export interface Bench {
  /** One line, for `--help`. */
  summary: string;
  run(context: BenchContext): Promise<Figure[]>;
}

export function isMet({
  ratio,
  measured,
  goal,
}: Pick<Figure, "ratio" | "measured" | "goal">): boolean {
  if (goal === null) return true;
  if ("measuredAtMost" in goal) return measured.median <= goal.measuredAtMost;
  if (!Number.isFinite(ratio)) return false;
  return "atLeast" in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** The median; for an even count, the mean of the two middle values. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(half)] ?? Number.NaN;
  return (low + high) / 2;
}

export function spreadOf(values: number[]): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Measures both sides in turns, so that both see the same machine. A first round, in which both load and
 * compile, is not counted.
 */
export async function inTurns({
  rounds,
  measure,
  reference,
}: {
  rounds: number;
  measure: () => Promise<number>;
  reference: () => Promise<number>;
}): Promise<Pick<Figure, "measured" | "reference" | "ratio">> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    const values = [await reference(), await measure()] as const;
    if (round === 0) continue;
    theirs.push(values[0]);
    ours.push(values[1]);
  }
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return { measured: spreadOf(ours), reference: spreadOf(theirs), ratio: median(ratios) };
}

/** Runs the work and returns its duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
