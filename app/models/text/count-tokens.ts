import { ACTIONS, creditsFor } from "~/catalog";

/** Tokens that a prompt has at most, by its bytes in UTF-8: one per three, and one per byte of characters that take four. */
export function reservedInput(prompt: string): number {
  let bytes = 0;
  let tokens = 0;
  for (const character of prompt) {
    const length = Buffer.byteLength(character);
    if (length === 4) tokens += length;
    else bytes += length;
  }
  return tokens + Math.ceil(bytes / 3);
}

/** The count of a text that isn't reported: a quarter of its characters. */
export const quarterOf = (characters: number): number => Math.ceil(characters / 4);

export const countCharacters = (text: string): number => [...text].length;

/** Tokens of a text without a report: the smaller of its pieces and a quarter of its characters. */
export const countedOutput = (pieces: number, characters: number): number =>
  Math.min(pieces, quarterOf(characters));

/** The most units that as many credits pay for. */
const unitsFor = (credits: number): number => {
  const { price, mostUnits } = ACTIONS.text;
  return Math.min(mostUnits, Math.floor((credits * price.per) / price.credits));
};

/** The units of the first slice: whole credits that pay for the prompt and a token. */
export const firstSlice = (input: number): number => unitsFor(creditsFor("text", input + 1));

/** The units in all after one more slice of a credit; the same number at the end of what a run may use. */
export const nextSlice = (units: number): number => unitsFor(creditsFor("text", units) + 1);
