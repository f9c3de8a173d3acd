import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** zxcvbn's "safely unguessable: moderate protection from an offline attack" (10^8 guesses). */
const MIN_SCORE = 3;
/** What comes after these characters is not looked at: the time taken grows with the length. */
const MAX_CHARACTERS = 64;
/** Readings of a spelling like `p4ssw0rd` that are tried. The library's 100 take up to half a second. */
const MAX_SUBSTITUTIONS = 4;

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Whether a password would be found soon by somebody who tries common passwords, words of English
 * and Spanish, names, dates, keyboard patterns, and `words`: those that others know of the account.
 */
export async function isGuessable(password: string, words: string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  return (await estimator).check(password, words).score < MIN_SCORE;
}

/** Loads the dictionaries, about 65 MB. Call it before serving: it stops the process for half a second. */
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
