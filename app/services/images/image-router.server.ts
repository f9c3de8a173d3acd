import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { ImageProviderName } from "~/env.server";
import { logAttempt } from "~/services/images/attempt-log.server";
import { awaitResult } from "~/services/images/await-result.server";
import type {
  GeneratedImage,
  ImageProvider,
  ImageRequest,
  ProviderResult,
} from "~/services/images/image-provider.server";
import { type Attempt, countAmbiguous, lineUp, type Turn } from "~/services/images/walk.server";
import { log } from "~/utils/logger.server";

export type GenerationOutcome =
  /** 1 to n images; fewer than requested still counts as a success. */
  | {
      status: "generated";
      provider: ImageProviderName;
      model: string;
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
  | { status: "failed" }
  /** Another process may go on: a provider works on it, or no call is open. `afterMs`: not before so many milliseconds. */
  | { status: "pending"; afterMs?: number }
  /** It has ended, or another process already goes on with it. */
  | { status: "gone" };

/** A call at a provider, about to leave. */
export interface Call {
  provider: ImageProviderName;
  model: string;
  /** The attempts before it. */
  attempts: Attempt[];
}

/** Keeps the steps of a generation where another process finds them. */
export interface WalkKeeper {
  /** Before a call leaves. Returns false if the generation isn't this process's any more. */
  calling(call: Call): Promise<boolean>;
  /** Before anybody waits for the result. Returns false as `calling` does. */
  accepted(request: { requestId: string; calls: number }): Promise<boolean>;
  /** Between two calls, before the generation is left to another process. */
  paused(attempts: Attempt[]): Promise<void>;
}

/** A generation that another process began. */
export interface BegunWalk {
  attempts: Attempt[];
  /** The request that a provider has accepted; null between two calls. */
  open: OpenRequest | null;
}

interface OpenRequest {
  provider: ImageProviderName;
  model: string;
  requestId: string;
  /** Milliseconds since the call left. */
  elapsedMs: number;
}

export interface Generating {
  /** Milliseconds for all attempts together, including waits. One attempt gets at most half of it. */
  deadlineMs: number;
  /** Milliseconds of it that are over. */
  elapsedMs?: number;
  keeper?: WalkKeeper;
  begun?: BegunWalk | null;
  /** Leaves an accepted request, or the next call, to another process. */
  handOver?: AbortSignal;
}

export interface ImageRouter {
  /** In the order in which they are asked. */
  providers: readonly ImageProvider[];
  /**
   * Never throws for faults of providers or the network. Resolves by the deadline, or up to four seconds
   * later if a provider has to be told to stop.
   */
  generate(request: ImageRequest, generating: Generating): Promise<GenerationOutcome>;
}

interface RouterSettings {
  /** In the order in which they are asked. */
  providers: ImageProvider[];
  /** Wait before asking the same provider again if it names no time. */
  retryMs?: number;
  /** Wait before the second look at an accepted request; the interval grows from there. */
  pollMs?: number;
  logger?: Pick<Logger, "info" | "warn" | "error">;
}

const TRIES_EACH = 2;
/** A longer `Retry-After` is not waited for while another provider is left to ask. */
const PATIENCE_MS = 10_000;

const GONE = { status: "gone" } as const;

/**
 * Asks providers until one delivers. The class of a failure decides the next step. After an ambiguous
 * failure at most one further attempt may cost money, at any provider.
 */
export function createImageRouter(settings: RouterSettings): ImageRouter {
  const { providers, retryMs = 500, pollMs = 250, logger = log() } = settings;

  return {
    providers,
    async generate(request, generating) {
      if (providers.length === 0) return { status: "unavailable" };
      const { deadlineMs, elapsedMs = 0, keeper, begun, handOver } = generating;
      const deadline = performance.now() + deadlineMs - elapsedMs;
      // Half, so that the one attempt after a timeout has as long as the first.
      const attemptMs = deadlineMs / 2;
      // A call that is unlikely to finish in time would probably be paid for and thrown away.
      const leastMs = deadlineMs / 20;
      const attempts = [...(begun?.attempts ?? [])];
      let line = lineUp(providers, attempts);
      let open = begun?.open ?? null;
      /** The end of the pause that a provider asked for. */
      let pausedUntil = 0;

      /** Waits for an accepted request. */
      function wait(provider: ImageProvider, asked: OpenRequest) {
        const { requestId, model } = asked;
        const left = attemptMs - asked.elapsedMs;
        const request = {
          requestId,
          model,
          deadline: Math.min(deadline, performance.now() + left),
        };
        if (!provider.requests) throw new Error(`${provider.name} has no requests`);
        return awaitResult({ requests: provider.requests, request, pollMs, handOver });
      }

      /** Makes the call, and waits for its result. */
      async function ask(
        provider: ImageProvider,
      ): Promise<ProviderResult | { status: "pending" } | typeof GONE> {
        const { name, model } = provider;
        const began = performance.now();
        if (keeper && !(await keeper.calling({ provider: name, model, attempts }))) return GONE;
        const until = Math.min(deadline, began + attemptMs);
        const submitted = await provider.submit({ ...request, deadline: until });
        if (submitted.status !== "accepted") return submitted;
        const { requestId } = submitted;
        if (keeper && !(await keeper.accepted({ requestId, calls: attempts.length + 1 }))) {
          await provider.requests?.cancel({ requestId, model });
          return GONE;
        }
        const elapsedMs = performance.now() - began;
        return wait(provider, { provider: name, model, requestId, elapsedMs });
      }

      /** Says when the provider is asked again, after the wait that it asked for; null if it isn't. */
      async function askAgain(
        { tries }: Turn<ImageProvider>,
        { status, retryAfterMs }: Exclude<ProviderResult, { status: "generated" }>,
        areOthersLeft: boolean,
      ): Promise<Attempt["again"]> {
        if (tries + 1 >= TRIES_EACH) return null;
        // The others first: this one is probably still in trouble.
        if (status === "ambiguous") return "later";
        if (status !== "transient") return null;
        const pause = retryAfterMs ?? retryMs;
        const left = deadline - performance.now();
        const patience = areOthersLeft ? PATIENCE_MS : left;
        if (pause > patience || pause + leastMs > left) return null;
        pausedUntil = performance.now() + pause;
        await sleep(pause, undefined, { signal: handOver }).catch(() => undefined);
        return "now";
      }

      for (let turn = nextTurn(line, open); turn; turn = nextTurn(line, open)) {
        const { provider } = turn;
        if (!open && handOver?.aborted) {
          await keeper?.paused(attempts);
          return { status: "pending", afterMs: Math.max(0, pausedUntil - performance.now()) };
        }
        if (!open && performance.now() + leastMs > deadline) break;
        const began = performance.now() - (open?.elapsedMs ?? 0);
        const response = await (open ? wait(provider, open) : ask(provider));
        if (response.status === "pending" || response.status === "gone") return response;
        const model = open?.model ?? provider.model;
        open = null;
        logAttempt(logger, provider.name, request, response, performance.now() - began);
        if (response.status === "generated") {
          const passedOver = new Set(attempts.map((attempt) => attempt.provider));
          passedOver.delete(provider.name);
          return {
            status: "generated",
            provider: provider.name,
            model,
            images: response.images.slice(0, request.n),
            passedOver: [...passedOver],
          };
        }
        const { status: outcome } = response;
        if (outcome === "refused" || outcome === "invalid") return { status: outcome };
        if (outcome === "ambiguous" && countAmbiguous(attempts) > 0) return { status: "failed" };
        const again = await askAgain(turn, response, line.length > 1);
        attempts.push({ provider: provider.name, outcome, again });
        line = lineUp(providers, attempts);
      }
      return { status: "failed" };
    },
  };
}

/** The next in line, or the one whose request is open. A provider that isn't configured here has no turn. */
function nextTurn(
  line: Turn<ImageProvider>[],
  open: OpenRequest | null,
): Turn<ImageProvider> | undefined {
  return open ? line.find(({ provider }) => provider.name === open.provider) : line[0];
}
