/** Time allowed for saving the result and settling the charge after the work. */
const AFTERWARDS_MS = 60_000;

/**
 * Milliseconds that the work may take in a run of this many seconds, leaving time to save and settle: all but a minute, or
 * three fifths of a short run.
 */
export function workMsWithin(runSeconds: number): number {
  const runMs = runSeconds * 1000;
  return runMs - Math.min(AFTERWARDS_MS, runMs * 0.4);
}
