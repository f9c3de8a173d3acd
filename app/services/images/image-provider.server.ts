import type { ImageProviderName } from "~/env.server";
import type { ImageSize } from "~/services/images/image-sizes";

export interface ProviderSettings {
  apiKey: string;
  /** Origin and path without a slash at its end. */
  apiBase: string;
  model: string;
}

export interface ImageRequest {
  prompt: string;
  /** How many images, 1 to 4. */
  n: number;
  size: ImageSize;
}

export interface GeneratedImage {
  /** An https or a data URL; plain http only from a provider on this machine. */
  url: string;
  contentType?: string | undefined;
}

/**
 * What a failure means for the next step:
 * - `refused`: the provider's content policy; no other provider is tried.
 * - `invalid`: the request itself is at fault, wherever it goes.
 * - `auth`: key, quota or model; this provider serves nobody until an operator acts.
 * - `transient`: not served and not paid for; worth asking again.
 * - `ambiguous`: may have been paid for, though nothing came.
 */
export type FailureClass = "refused" | "invalid" | "auth" | "transient" | "ambiguous";

export interface ProviderFailure {
  status: FailureClass;
  /** For the log: a status and the provider's machine-readable code, never its text or the prompt. */
  reason: string;
  /** How long the provider asks us to wait, in milliseconds; null where it does not say. */
  retryAfterMs: number | null;
  requestId: string | null;
}

interface ProviderSuccess {
  status: "generated";
  /** At least one, in order; may be fewer or more than asked for. */
  images: GeneratedImage[];
  requestId: string | null;
}

export type ProviderAnswer = ProviderSuccess | ProviderFailure;

/** One provider's API. `generate` never throws for what the provider or the network does. */
export interface ImageProvider {
  name: ImageProviderName;
  /** `deadline` is on the clock of `performance.now()`; there is an answer by then. */
  generate(request: ImageRequest & { deadline: number }): Promise<ProviderAnswer>;
}
