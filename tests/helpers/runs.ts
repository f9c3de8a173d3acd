/** Returns how much a test checks, or how often: `few` in `npm test`, and `many` in `npm run test:long`. */
export function byRun<Amount>({ few, many }: { few: Amount; many: Amount }): Amount {
  return process.env.LONG_TESTS === "1" ? many : few;
}

/**
 * The histories of a property test start here, so that a change is judged by the same ones each time.
 * `SEED=<number> npm run test:long` tries others.
 */
export const SEED = Number(process.env.SEED ?? 20_261_122);
