import { type Env, getEnv, type ImageProviderName } from "~/env.server";
import { createFal } from "~/services/images/fal.server";
import type { ImageProvider, ProviderSettings } from "~/services/images/image-provider.server";
import { createImageRouter, type ImageRouter } from "~/services/images/image-router.server";
import { createOpenai } from "~/services/images/openai.server";
import { createReplicate } from "~/services/images/replicate.server";

/** In priority order. */
const CREATE: Record<ImageProviderName, (settings: ProviderSettings) => ImageProvider> = {
  fal: createFal,
  replicate: createReplicate,
  openai: createOpenai,
};
const PRIORITY = ["fal", "replicate", "openai"] as const;

/** What saving the images and settling the charge may take, once they are generated. */
const AFTERWARDS_MS = 60_000;

let router: ImageRouter | undefined;

/** The router over the configured providers, or null where there is none. One a process. */
export function getImageRouter(): ImageRouter | null {
  const { images, ttl } = getEnv();
  const providers = listImageProviders(images);
  if (providers.length === 0) return null;
  router ??= createImageRouter({ providers, deadlineMs: deadlineWithin(ttl.generation) });
  return router;
}

/**
 * The providers that take part, in priority order: those with a key, or only the one that
 * `IMAGE_PROVIDER` names. Empty when that one has no key: another is never taken in its place.
 */
export function listImageProviders({
  selected,
  providers,
}: Pick<Env["images"], "selected" | "providers">): ImageProvider[] {
  return PRIORITY.filter((name) => selected === null || selected === name).flatMap((name) => {
    const { apiKey, ...settings } = providers[name];
    return apiKey === null ? [] : [CREATE[name]({ ...settings, apiKey })];
  });
}

/**
 * Milliseconds that generating may take under a lease of so many seconds, so that saving and
 * settling still fit into it: all but a minute, and three fifths of a short one.
 */
export function deadlineWithin(leaseSeconds: number): number {
  const leaseMs = leaseSeconds * 1000;
  return leaseMs - Math.min(AFTERWARDS_MS, leaseMs * 0.4);
}
