import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ImageProviderName } from "~/env.server";
import type {
  GeneratedImage,
  ImageProvider,
  ImageRequest,
  ProviderResult,
} from "~/services/images/image-provider.server";
import { log } from "~/utils/logger.server";

export type GenerationOutcome =
  /** 1 to n images; fewer than requested still counts as a success. */
  | {
      status: "generated";
      provider: ImageProviderName;
      images: GeneratedImage[];
      /** Providers that were asked before and delivered nothing, in order. */
      passedOver: ImageProviderName[];
    }
  /** A provider's content policy refused it. */
  | { status: "refused" }
  /** The request itself is invalid for the provider. */
  | { status: "invalid" }
  /** No provider is configured; none was called. */
  | { status: "unavailable" }
  /** No provider delivered within the deadline. */
  | { status: "failed" };

export interface ImageRouter {
  /**
   * Never throws for faults of providers or the network. Resolves by the deadline, or up to two seconds
   * later if Replicate has to be told to stop.
   */
  generate(request: ImageRequest): Promise<GenerationOutcome>;
}

interface RouterSettings {
  /** In the order in which they are asked. */
  providers: ImageProvider[];
  /** For all attempts together, including waits. One attempt gets at most half of it. */
  deadlineMs: number;
  /** Wait before asking the same provider again if it names no time. */
  retryMs?: number;
  logger?: Pick<Logger, "info" | "warn" | "error">;
}

const TRIES_EACH = 2;
/** A longer `Retry-After` is not waited for while another provider is left to ask. */
const PATIENCE_MS = 10_000;

/**
 * Asks providers until one delivers. The class of a failure decides the next step. After an ambiguous
 * failure at most one further attempt may cost money, at any provider.
 */
export function createImageRouter(settings: RouterSettings): ImageRouter {
  const { providers, deadlineMs, retryMs = 500, logger = log() } = settings;
  // Half, so that the one attempt after a timeout has as long as the first.
  const attemptMs = deadlineMs / 2;
  // A call that is unlikely to finish in time would probably be paid for and thrown away.
  const leastMs = deadlineMs / 20;

  async function ask(provider: ImageProvider, request: ImageRequest, deadline: number) {
    const began = performance.now();
    const response = await provider.generate({
      ...request,
      deadline: Math.min(deadline, began + attemptMs),
    });
    logAttempt(logger, provider.name, request, response, performance.now() - began);
    return response;
  }

  async function generate(request: ImageRequest): Promise<GenerationOutcome> {
    if (providers.length === 0) return { status: "unavailable" };
    const deadline = performance.now() + deadlineMs;
    const queue = providers.map((provider) => ({ provider, tries: 0 }));
    const asked = new Set<ImageProviderName>();
    let ambiguities = 0;

    for (let turn = queue.shift(); turn; turn = queue.shift()) {
      if (performance.now() + leastMs > deadline) break;
      const response = await ask(turn.provider, request, deadline);
      turn.tries += 1;
      asked.add(turn.provider.name);
      const mayRepeat = turn.tries < TRIES_EACH;
      switch (response.status) {
        case "generated":
          return {
            status: "generated",
            provider: turn.provider.name,
            images: response.images.slice(0, request.n),
            passedOver: [...asked].filter((name) => name !== turn.provider.name),
          };
        case "refused":
        case "invalid":
          return { status: response.status };
        case "auth":
          break;
        case "transient": {
          const wait = response.retryAfterMs ?? retryMs;
          const left = deadline - performance.now();
          const patience = queue.length > 0 ? PATIENCE_MS : left;
          if (!mayRepeat || wait > patience || wait + leastMs > left) break;
          await sleep(wait);
          queue.unshift(turn);
          break;
        }
        case "ambiguous":
          ambiguities += 1;
          if (ambiguities > 1) return { status: "failed" };
          // Ask the other providers first: this one is probably still in trouble.
          if (mayRepeat) queue.push(turn);
          break;
      }
    }
    return { status: "failed" };
  }

  return { generate };
}

/** Logs one line per attempt, without the prompt: provider, result, duration and the provider's own id. */
function logAttempt(
  logger: Pick<Logger, "info" | "warn" | "error">,
  provider: ImageProviderName,
  { n }: ImageRequest,
  response: ProviderResult,
  elapsedMs: number,
): void {
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
