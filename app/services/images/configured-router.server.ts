import { type Env, getEnv, type ImageProviderName } from "~/env.server";
import { createFal } from "~/services/images/fal.server";
import type { ImageProvider } from "~/services/images/image-provider.server";
import { createImageRouter, type ImageRouter } from "~/services/images/image-router.server";
import { createOpenai } from "~/services/images/openai.server";
import { createReplicate } from "~/services/images/replicate.server";

type Providers = Env["images"]["providers"];

/** The provider, or nothing without a key. */
const CREATE: Record<ImageProviderName, (settings: Providers) => ImageProvider[]> = {
  fal: ({ fal: { apiKey, ...fal } }) => (apiKey === null ? [] : [createFal({ ...fal, apiKey })]),
  replicate: ({ replicate: { apiKey, ...replicate } }) =>
    apiKey === null ? [] : [createReplicate({ ...replicate, apiKey })],
  openai: ({ openai: { apiKey, ...openai } }) =>
    apiKey === null ? [] : [createOpenai({ ...openai, apiKey })],
};
const PRIORITY = ["fal", "replicate", "openai"] as const;

let router: ImageRouter | undefined;

/** The router over the configured providers, or null if there are none. One per process. */
export function getImageRouter(): ImageRouter | null {
  const providers = listImageProviders(getEnv().images);
  if (providers.length === 0) return null;
  router ??= createImageRouter({ providers });
  return router;
}

/**
 * The providers in use, in priority order: those with a key, or only the one that `IMAGE_PROVIDER`
 * names. Empty if that one has no key: no other provider replaces it.
 */
export function listImageProviders({
  selected,
  providers,
}: Pick<Env["images"], "selected" | "providers">): ImageProvider[] {
  return PRIORITY.filter((name) => selected === null || selected === name).flatMap((name) =>
    CREATE[name](providers),
  );
}
