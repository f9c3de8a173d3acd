import { getEnv } from "~/env.server";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import { measureTokens } from "~/models/text/count-tokens";
import { type TextRequest, textRequestSchema } from "~/models/text/text-request";
import type { TokenUsage } from "~/services/language-model/language-model";
import { languageModel } from "~/services/language-model/lazy-model.server";

export const textAction: GrowingAction<TextRequest, TokenUsage> = {
  key: "text",
  isOn: () => getEnv().text.enabled,
  schema: textRequestSchema,
  table: {
    name: "text_generations",
    request: { prompt: "prompt", maxTokens: "max_tokens" },
    usage: { inputTokens: "input_tokens", outputTokens: "output_tokens" },
    subject: "prompt",
  },
  measure: ({ prompt, maxTokens }) => measureTokens(prompt, maxTokens),
  provider: () => languageModel({ ...getEnv().text, purpose: "text" }),
};
