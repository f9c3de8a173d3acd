import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** zxcvbn's "safely unguessable: moderate protection from an offline attack" (10^8 guesses). */
const MIN_SCORE = 3;
/** Characters after these are ignored: the time taken grows with the length. */
const MAX_CHARACTERS = 64;
/**
 * Readings of a spelling like `p4ssw0rd` that are tried. The library's default of 100 takes up to half
 * a second.
 */
const MAX_SUBSTITUTIONS = 4;

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether an attacker would soon find the password by trying common passwords, English and Spanish
 * words, names, dates, keyboard patterns, and `words`: what others know about the account.
 */
export async function isGuessable(password: string, words: string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  return (await estimator).check(password, words).score < MIN_SCORE;
}

/** Loads the dictionaries, about 65 MB. Call it before serving: it blocks the process for half a second. */
export async function preparePasswordCheck(): Promise<void> {
  await isGuessable("", []);
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english, spanish] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
    import("@zxcvbn-ts/language-es-es"),
  ]);
  return new core.ZxcvbnFactory({
    maxLength: MAX_CHARACTERS,
    l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
    graphs: common.adjacencyGraphs,
    dictionary: { ...common.dictionary, ...english.dictionary, ...spanish.dictionary },
  });
}
