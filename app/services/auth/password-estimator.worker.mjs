// @ts-check
// Runs in a thread of its own: loading the dictionaries takes half a second and about 65 MB, and a long
// password up to a second. In plain JavaScript: Node runs this file as it is in development and tests.
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";
import * as spanish from "@zxcvbn-ts/language-es-es";

/** Characters after these are ignored: the time taken grows with the length. */
const MAX_CHARACTERS = 64;
/**
 * Readings of a spelling like `p4ssw0rd` that are tried. The library's default of 100 takes up to half
 * a second.
 */
const MAX_SUBSTITUTIONS = 4;

const estimator = new ZxcvbnFactory({
  maxLength: MAX_CHARACTERS,
  l33tMaxSubstitutions: MAX_SUBSTITUTIONS,
  graphs: common.adjacencyGraphs,
  dictionary: { ...common.dictionary, ...english.dictionary, ...spanish.dictionary },
});

/** Guesses, as a power of ten. zxcvbn's "safely unguessable" begins at 8, where a word with a year stands. */
const LEAST = 9;
/** The same for one common word with digits and punctuation around it, which is what attackers try first. */
const LEAST_OF_ONE_WORD = 12;
/** Phrases that everybody has read as examples. */
const EXAMPLES = ["correcthorsebatterystaple", "correct horse battery staple"];

/**
 * Whether the password takes fewer guesses than it should.
 * @param {{ password: string, words: string[] }} task
 */
export function isWeak({ password, words }) {
  const { guessesLog10, sequence } = estimator.check(password, [...words, ...EXAMPLES]);
  const withLetters = sequence.filter(({ token }) => /\p{L}/u.test(token));
  const isOneWord =
    withLetters.every(({ pattern }) => pattern === "dictionary") &&
    new Set(withLetters.map(({ token }) => token.toLowerCase())).size === 1;
  return guessesLog10 < (isOneWord ? LEAST_OF_ONE_WORD : LEAST);
}
