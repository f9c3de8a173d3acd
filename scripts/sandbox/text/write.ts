import { createHash } from "node:crypto";

/** Each with the blank before it is one token, and about four characters, as a token of English is. */
const WORDS =
  "sea wind lamp ship rock gull tide moon fog star wave bell light sand salt boat dusk rain door old far low one and the was its had".split(
    " ",
  );

/** Tokens of a prompt. A real model's tokenizer counts about the same for English. */
export const countTokens = (prompt: string): number => Math.ceil(prompt.length / 4);

/**
 * The tokens of the text for a prompt, one after the other, the same each time. `[tokens:<number>]` in the
 * prompt says how many; else it is a few sentences.
 */
export function* write(prompt: string): Generator<string> {
  const seed = createHash("sha256").update(prompt).digest();
  const wanted = /\[tokens:(\d{1,7})\]/.exec(prompt)?.[1];
  const length = wanted === undefined ? 60 + (seed[0] ?? 0) : Number(wanted);
  let state = seed.readUInt32BE(4);
  let begins = true;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const word = WORDS[(state >>> 8) % WORDS.length] ?? "";
    const shown = begins ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    const ends: boolean = at === length - 1 || (!begins && (state >>> 16) % 9 === 0);
    yield `${at === 0 ? "" : " "}${shown}${ends ? "." : ""}`;
    begins = ends;
  }
}
