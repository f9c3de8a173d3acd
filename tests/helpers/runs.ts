import fc from "fast-check";

/** Returns how much a test checks, or how often: `few` in `npm test`, and `many` in `npm run test:long`. */
export function byRun<Amount>({ few, many }: { few: Amount; many: Amount }): Amount {
  return process.env.LONG_TESTS === "1" ? many : few;
}

/** Each `every`th of these cases from number `first` on in `npm test`, and all in `npm run test:long`. */
export const someOf = <Case>(cases: readonly Case[], every: number, first = 0): readonly Case[] =>
  byRun({ few: cases.filter((_, at) => at % every === first), many: cases });

/**
 * Whether the browser runs JavaScript, for a journey that is no page's first: one way in `npm test`, and both in
 * `npm run test:long`.
 */
export const inOneWay = (javaScript: boolean): readonly boolean[] =>
  byRun({ few: [javaScript], many: [false, true] });

/** For journeys over pages that have no script of their own: with JavaScript, the same code serves them. */
export const PLAIN_PAGE_MODES = inOneWay(false);

/**
 * The histories of a property test start here, so that a change is judged by the same ones each time.
 * `SEED=<number> npm run test:long` tries others.
 */
const SEED = Number(process.env.SEED ?? 20_261_122);

/** Milliseconds after which a law begins no further history, so that a slow machine tries fewer and isn't late. */
const LAW_TIME = byRun({ few: 15_000, many: 25_000 });

/** The time that a test of one law may take. */
export const LAW_TIMEOUT = { timeout: 10 * LAW_TIME };

/** Tries a law on random values: on as many as wanted, or on as many as there is time for. */
export async function holdsFor<Value>(
  values: fc.Arbitrary<Value>,
  { runs }: { runs: number },
  law: (value: Value) => Promise<void>,
): Promise<void> {
  const begun = Date.now();
  const property = fc.asyncProperty(values, async (value) => {
    if (Date.now() - begun < LAW_TIME) await law(value);
  });
  await fc.assert(property, { numRuns: runs, seed: SEED });
}
