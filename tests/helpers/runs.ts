/**
 * How many random histories a property test runs: `few` of them in `npm test`, and `many` in
 * `npm run test:long`.
 */
export function historiesToRun({ few, many }: { few: number; many: number }): number {
  return process.env.LONG_TESTS === "1" ? many : few;
}

/**
 * The histories of a property test start here, so that a change is judged by the same ones each time.
 * `SEED=<number> npm run test:long` tries others.
 */
export const SEED = Number(process.env.SEED ?? 20_261_122);
