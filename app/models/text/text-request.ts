import { z } from "zod";
import { invalid } from "~/i18n/validation-key";

/** Characters of a prompt. */
const MAX_TEXT_PROMPT = 20_000;
/** Tokens of a text that may be asked for. */
const MAX_TEXT_TOKENS = 16_000;

/** The body of POST /api/generate-text. The page's form has the prompt alone. */
export const textRequestSchema = z.object({
  prompt: z
    .string(invalid("promptRequired"))
    .overwrite((text) => text.replaceAll("\r\n", "\n"))
    .trim()
    .min(1, invalid("promptRequired"))
    .max(MAX_TEXT_PROMPT, invalid("textPromptTooLong"))
    .refine((text) => !text.includes("\0"), invalid("promptRequired"))
    .meta({ description: "What to write.", example: "Two lines about a lighthouse" }),
  maxTokens: z.int().min(1).max(MAX_TEXT_TOKENS).optional().meta({
    description: "The most tokens of the text. Without it, it ends by itself or with the credits.",
  }),
});

export type TextRequest = z.output<typeof textRequestSchema>;
