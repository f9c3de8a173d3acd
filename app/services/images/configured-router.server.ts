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

/** Time allowed for saving the images and settling the charge after generation. */
const AFTERWARDS_MS = 60_000;

let router: ImageRouter | undefined;

/** The router over the configured providers, or null if there are none. One per process. */
export function getImageRouter(): ImageRouter | null {
  const { images, ttl } = getEnv();
  const providers = listImageProviders(images);
  if (providers.length === 0) return null;
  router ??= createImageRouter({ providers, deadlineMs: deadlineWithin(ttl.generation) });
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
  return PRIORITY.filter((name) => selected === null || selected === name).flatMap((name) => {
    const { apiKey, ...settings } = providers[name];
    return apiKey === null ? [] : [CREATE[name]({ ...settings, apiKey })];
  });
}

/**
 * Milliseconds that generation may take under a lease of this many seconds, leaving time to save and
 * settle: the lease minus a minute, or three fifths of a short lease.
 */
export function deadlineWithin(leaseSeconds: number): number {
  const leaseMs = leaseSeconds * 1000;
  return leaseMs - Math.min(AFTERWARDS_MS, leaseMs * 0.4);
}
