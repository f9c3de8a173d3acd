import type { ImageProviderName } from "~/env.server";
import type { ImageSize } from "~/services/images/image-limits";

export interface ProviderSettings {
  apiKey: string;
  /** Origin and path without a trailing slash. */
  apiBase: string;
  model: string;
}

export interface ImageRequest {
  prompt: string;
  /** Number of images, 1 to 4. */
  n: number;
  size: ImageSize;
}

export interface GeneratedImage {
  /** An https or data URL; plain http only from a provider on this machine. */
  url: string;
  contentType?: string | undefined;
}

/**
 * The class of a failure decides the next step:
 * - `refused`: the provider's content policy; no other provider is tried.
 * - `invalid`: the request itself is wrong for every provider.
 * - `auth`: key, quota or model; this provider serves nobody until an operator acts.
 * - `transient`: not served and not paid for; worth a retry.
 * - `ambiguous`: nothing came, but it may have been paid for.
 */
export type FailureClass = "refused" | "invalid" | "auth" | "transient" | "ambiguous";

export interface ProviderFailure {
  status: FailureClass;
  /** For the log: a status and the provider's machine-readable code, never its text or the prompt. */
  reason: string;
  /** Milliseconds that the provider asks us to wait; null if it does not say. */
  retryAfterMs: number | null;
  requestId: string | null;
}

interface ProviderSuccess {
  status: "generated";
  /** At least one, in order; may be fewer or more than requested. */
  images: GeneratedImage[];
  requestId: string | null;
}

export type ProviderResult = ProviderSuccess | ProviderFailure;

/** One provider's API. `generate` never throws for faults of the provider or the network. */
export interface ImageProvider {
  name: ImageProviderName;
  /** Resolves before `deadline`, which is on the clock of `performance.now()`. */
  generate(request: ImageRequest & { deadline: number }): Promise<ProviderResult>;
}
