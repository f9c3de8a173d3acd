import type { Logger } from "pino";
import type { ImageProviderName } from "~/env.server";
import type { ImageRequest, ProviderResult } from "~/services/images/image-provider.server";
import { count } from "~/utils/metrics.server";

/** Counts each attempt and logs one line for it, without the prompt: provider, result, duration and the provider's own id. */
export function logAttempt(
  logger: Pick<Logger, "info" | "warn" | "error">,
  provider: ImageProviderName,
  { n }: ImageRequest,
  response: ProviderResult,
  elapsedMs: number,
): void {
  count("rcs_provider_calls_total", { action: "image", provider, outcome: response.status });
  const attempt = {
    provider,
    class: response.status,
    ms: Math.round(elapsedMs),
    providerRequestId: response.requestId,
    asked: n,
  };
  if (response.status === "generated") {
    logger.info({ ...attempt, images: response.images.length }, "image attempt");
    return;
  }
  const failed = { ...attempt, reason: response.reason };
  if (response.status === "auth")
    logger.error(failed, "image attempt: the provider rejects our key, quota or model");
  else if (response.status === "transient" || response.status === "ambiguous")
    logger.warn(failed, "image attempt");
  else logger.info(failed, "image attempt");
}
