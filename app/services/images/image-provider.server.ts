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
export const FAILURE_CLASSES = ["refused", "invalid", "auth", "transient", "ambiguous"] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

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

/** The provider has the request and works on it. Any process can fetch the result by this id. */
export interface Accepted {
  status: "accepted";
  requestId: string;
}

/** A request that a provider has accepted, and when to give up, on the clock of `performance.now()`. */
export interface AcceptedRequest {
  requestId: string;
  /** The model that was asked. The configured one may be another by now. */
  model: string;
  deadline: number;
}

/** A provider's requests by their ids. Neither call is paid for, and neither throws. */
export interface ProviderRequests {
  /** Looks once whether the result is there. `isLast`: a part of it will do. */
  look(
    request: AcceptedRequest & { isLast?: boolean },
  ): Promise<ProviderResult | { status: "running" }>;
  /** Tries for up to two seconds to stop the request. */
  cancel(request: Omit<AcceptedRequest, "deadline">): Promise<void>;
}

/** One provider's API. */
export interface ImageProvider {
  name: ImageProviderName;
  model: string;
  /**
   * Makes the one call that is paid for. Resolves before `deadline`, which is on the clock of
   * `performance.now()`, and never throws for faults of the provider or the network.
   */
  submit(request: ImageRequest & { deadline: number }): Promise<ProviderResult | Accepted>;
  /** Null if the call returns the images itself: nobody else can then fetch them. */
  requests: ProviderRequests | null;
}
