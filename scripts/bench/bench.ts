import type { BenchServer } from "./bench-server";

/** One measured ratio or amount, with its goal. */
export interface Figure {
  /** The measurement's name: `100,000 due, granted a second`. */
  what: string;
  /** The baseline's name: `one SQL statement`. */
  against: string;
  /** Both with their unit, for the report. */
  measured: string;
  reference: string;
  /** `measured` divided by the baseline, or the amount that the goal is about. */
  ratio: number;
  goal: { atLeast: number } | { atMost: number };
}

export interface BenchContext {
  server: BenchServer;
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

export function isMet({ ratio, goal }: Figure): boolean {
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

/** Runs the work and returns its duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
