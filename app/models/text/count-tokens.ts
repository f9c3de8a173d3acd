import { countCharacters } from "~/models/metering/growing/grow.server";
import type { Measure } from "~/models/metering/growing/growing-action";
import type { TokenUsage } from "~/services/language-model/language-model";

/** Tokens that a prompt has at most, by its bytes in UTF-8: one per three, and one per byte of characters that take four. */
export function reservedInput(prompt: string): number {
  const wide = prompt.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0;
  return wide * 4 + Math.ceil((Buffer.byteLength(prompt) - wide * 4) / 3);
}

/** The count of a text that isn't reported: a quarter of its characters. */
export const quarterOf = (characters: number): number => Math.ceil(characters / 4);

/** Counts the tokens of a model's text, as far as the model doesn't report them: by its pieces and its characters. */
export const measureTokens = (prompt: string, limit?: number): Measure<TokenUsage> => ({
  limit: limit ?? null,
  input: { least: quarterOf(countCharacters(prompt)), most: reservedInput(prompt) },
  output: (pieces, characters) => ({
    least: Math.min(pieces, quarterOf(characters)),
    most: Math.max(pieces, quarterOf(characters)),
  }),
  usage: (inputTokens, outputTokens) => ({ inputTokens, outputTokens }),
});
