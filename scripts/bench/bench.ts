import type { BenchServer } from "./bench-server";

/** One measured ratio or amount, with what it must come to. */
export interface Figure {
  /** What is measured: `100,000 due, granted a second`. */
  what: string;
  /** What it is measured against: `one SQL statement`. */
  against: string;
  /** Both as read, with their unit. */
  measured: string;
  reference: string;
  /** The first by the second, or whatever the goal speaks of. */
  ratio: number;
  goal: { atLeast: number } | { atMost: number };
}

export interface BenchContext {
  server: BenchServer;
  /** A count of the full size, scaled down for a trial; never less than `least`. */
  scaled(count: number, least?: number): number;
  /** One line of what is going on. */
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

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(half)] ?? Number.NaN;
  return (low + high) / 2;
}

/** Milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
