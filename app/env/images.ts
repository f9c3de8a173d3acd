import type { z } from "zod";
import { apiBase, choice, credential, flag, matching } from "~/env/formats";

export type ImageProviderName = "fal" | "replicate" | "openai";

export interface ImagesEnv {
  enabled: boolean;
  /** The provider named by IMAGE_PROVIDER; null leaves the choice to the router. */
  selected: ImageProviderName | null;
  /** In priority order. A provider is used if it has a key. */
  providers: Record<ImageProviderName, ProviderEnv> & { fal: { queueBase: string } };
}

interface ProviderEnv {
  apiKey: string | null;
  apiBase: string;
  model: string;
}

const FAL_BASE = "https://fal.run";
const FAL_QUEUE = "https://queue.fal.run";

function apiKey(description: string) {
  return credential().optional().meta({ description, secret: true, key: true });
}

const modelPath = matching(
  /^[a-z0-9][\w.:-]*(\/[a-z0-9][\w.:-]*)*$/i,
  "is not a model name: write it like fal-ai/flux/schnell",
);
const ownerAndModel = matching(
  /^[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*$/i,
  "is not a model name: write owner/name, without a version",
);

export const imageVariables = {
  NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: flag()
    .default(false)
    .meta({ description: "Turns image generation on." }),
  IMAGE_PROVIDER: choice({
    1: "fal" as const,
    fal: "fal" as const,
    2: "replicate" as const,
    replicate: "replicate" as const,
    3: "openai" as const,
    openai: "openai" as const,
  })
    .optional()
    .meta({ description: "The one provider to ask: 1 or fal, 2 or replicate, 3 or openai." }),
  IMAGE_PROVIDER_1_KEY: apiKey("API key of fal."),
  IMAGE_PROVIDER_1_MODEL: modelPath
    .default("fal-ai/flux/schnell")
    .meta({ description: "Model that fal runs." }),
  IMAGE_PROVIDER_1_API_BASE: apiBase()
    .default(FAL_BASE)
    .meta({ description: "Address of fal's API." }),
  IMAGE_PROVIDER_1_QUEUE_BASE: apiBase()
    .optional()
    .meta({
      description: `Address of fal's queue, which makes the images. Without it ${FAL_QUEUE}, or IMAGE_PROVIDER_1_API_BASE if that isn't fal's own.`,
    }),
  IMAGE_PROVIDER_2_KEY: apiKey("API token of Replicate."),
  IMAGE_PROVIDER_2_MODEL: ownerAndModel
    .default("black-forest-labs/flux-schnell")
    .meta({ description: "Model that Replicate runs." }),
  IMAGE_PROVIDER_2_API_BASE: apiBase()
    .default("https://api.replicate.com")
    .meta({ description: "Address of Replicate's API." }),
  IMAGE_PROVIDER_3_KEY: apiKey("API key of OpenAI."),
  IMAGE_PROVIDER_3_MODEL: modelPath
    .default("gpt-image-2.6-flare")
    .meta({ description: "Model that OpenAI runs." }),
  IMAGE_PROVIDER_3_API_BASE: apiBase()
    .default("https://api.openai.com")
    .meta({ description: "Address of OpenAI's API." }),
};

type ImageValues = z.output<z.ZodObject<typeof imageVariables>>;

const KEY_VARIABLES = {
  fal: "IMAGE_PROVIDER_1_KEY",
  replicate: "IMAGE_PROVIDER_2_KEY",
  openai: "IMAGE_PROVIDER_3_KEY",
} as const;

/** If the selected provider has no key, generation is unavailable, even if other providers have keys. */
function listMissing(values: ImageValues): string[] {
  if (!values.NEXT_PUBLIC_ENABLE_IMAGE_GENERATION) return [];
  if (values.IMAGE_PROVIDER) {
    const name = KEY_VARIABLES[values.IMAGE_PROVIDER];
    return values[name] ? [] : [name];
  }
  const names = Object.values(KEY_VARIABLES);
  return names.some((name) => values[name]) ? [] : [`one of ${names.join(", ")}`];
}

export function buildImages(values: ImageValues): { images: ImagesEnv; incomplete: string[] } {
  return {
    images: {
      enabled: values.NEXT_PUBLIC_ENABLE_IMAGE_GENERATION,
      selected: values.IMAGE_PROVIDER ?? null,
      providers: {
        fal: {
          apiKey: values.IMAGE_PROVIDER_1_KEY ?? null,
          apiBase: values.IMAGE_PROVIDER_1_API_BASE,
          queueBase:
            values.IMAGE_PROVIDER_1_QUEUE_BASE ??
            (values.IMAGE_PROVIDER_1_API_BASE === FAL_BASE
              ? FAL_QUEUE
              : values.IMAGE_PROVIDER_1_API_BASE),
          model: values.IMAGE_PROVIDER_1_MODEL,
        },
        replicate: {
          apiKey: values.IMAGE_PROVIDER_2_KEY ?? null,
          apiBase: values.IMAGE_PROVIDER_2_API_BASE,
          model: values.IMAGE_PROVIDER_2_MODEL,
        },
        openai: {
          apiKey: values.IMAGE_PROVIDER_3_KEY ?? null,
          apiBase: values.IMAGE_PROVIDER_3_API_BASE,
          model: values.IMAGE_PROVIDER_3_MODEL,
        },
      },
    },
    incomplete: listMissing(values),
  };
}
