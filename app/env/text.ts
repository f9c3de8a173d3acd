import type { z } from "zod";
import { apiBase, credential, flag, matching } from "~/env/formats";

export interface TextEnv {
  enabled: boolean;
  apiKey: string | null;
  apiBase: string;
  model: string | null;
}

export const textVariables = {
  NEXT_PUBLIC_ENABLE_TEXT_GENERATION: flag()
    .default(false)
    .meta({ description: "Turns text generation on." }),
  TEXT_PROVIDER_KEY: credential()
    .optional()
    .meta({ description: "API key of the text provider.", secret: true, key: true }),
  TEXT_PROVIDER_API_BASE: apiBase()
    .default("https://api.openai.com")
    .meta({ description: "Address of an OpenAI-compatible API: it has /v1/chat/completions." }),
  TEXT_PROVIDER_MODEL: matching(
    /^[\w@][\w.:/@+-]*$/,
    "is not a model name: write it as the provider's list of models does",
  )
    .optional()
    .meta({ description: "Model that writes the texts." }),
};

/** Text generation needs a key and a model: no model is the right one at every endpoint. */
export function buildText(values: z.output<z.ZodObject<typeof textVariables>>): {
  text: TextEnv;
  incomplete: string[];
} {
  const enabled = values.NEXT_PUBLIC_ENABLE_TEXT_GENERATION;
  const needed = ["TEXT_PROVIDER_KEY", "TEXT_PROVIDER_MODEL"] as const;
  return {
    text: {
      enabled,
      apiKey: values.TEXT_PROVIDER_KEY ?? null,
      apiBase: values.TEXT_PROVIDER_API_BASE,
      model: values.TEXT_PROVIDER_MODEL ?? null,
    },
    incomplete: enabled ? needed.filter((name) => !values[name]) : [],
  };
}
