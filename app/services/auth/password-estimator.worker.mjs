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

/**
 * Returns zxcvbn's score of the password, 0 to 4.
 * @param {{ password: string, words: string[] }} task
 */
export function scoreOf({ password, words }) {
  return estimator.check(password, words).score;
}
