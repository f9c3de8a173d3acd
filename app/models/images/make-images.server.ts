import { z } from "zod";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import { saveImages } from "~/models/images/generated-files.server";
import { keepImages } from "~/models/images/keep-images.server";
import { keepCall, keepPause, keepRequestId } from "~/models/metering/calls.server";
import type { ActionEnd } from "~/models/metering/meter.server";
import type { FoundRun } from "~/models/metering/resume.server";
import type { Perform } from "~/models/metering/start-run.server";
import { workMsWithin } from "~/models/metering/work-time";
import type { GenerationRequest } from "~/services/images/generation-request";
import type {
  BegunWalk,
  Generating,
  ImageRouter,
  WalkKeeper,
} from "~/services/images/image-router.server";
import { attemptSchema } from "~/services/images/walk.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { firstAbort } from "~/utils/first-abort";

export interface MakeImages {
  userId: string;
  request: GenerationRequest;
  router: ImageRouter | null;
  store: ObjectStore | null;
  /** Milliseconds from the reservation to the deadline. */
  totalMs: number;
  /** The run as another process left it; null for a new one. */
  found: FoundRun | null;
  /** Nobody waits for the end, so the wait for a provider takes steps. */
  isAsynchronous: boolean;
}

/** A step of a wait. Between two of them any process may go on. */
const STEP_MS = 25_000;

/** Asks the providers, or goes on where another process stopped, and saves the images. */
export async function makeImages(
  { userId, request, router, store, totalMs, found, isAsynchronous }: MakeImages,
  { runId, handOver }: Parameters<Perform>[0],
  db: DatabaseOrTransaction = getDb(),
): Promise<ActionEnd> {
  if (!router) throw new Error("a run for images was admitted without a provider");
  const generating: Generating = {
    deadlineMs: workMsWithin(totalMs / 1_000),
    elapsedMs: found?.elapsedMs ?? 0,
    keeper: keeperOf(runId, db),
    begun: found && walkOf(found),
    handOver: isAsynchronous ? stepWithin(handOver) : handOver,
  };
  const outcome = await router.generate(request, generating);
  if (outcome.status === "gone") return outcome;
  if (outcome.status === "pending")
    return { status: "pending", seconds: (outcome.afterMs ?? 0) / 1_000 };
  if (outcome.status !== "generated") {
    const isRefused = outcome.status === "refused";
    return { error: isRefused ? "prompt_rejected" : "generation_failed" };
  }
  const { provider, model, passedOver } = outcome;
  const { apiBase } = getEnv().images.providers[provider];
  const { prompt } = request;
  const images = await saveImages({ userId, prompt, images: outcome.images, apiBase, store }, db);
  return { units: images.length, provider, model, own: keepImages(images, passedOver) };
}

/** Aborts with `handOver`, or at the end of a step. */
function stepWithin(handOver: AbortSignal): AbortSignal {
  const step = new AbortController();
  setTimeout(() => step.abort(), STEP_MS).unref();
  return firstAbort(handOver, step.signal);
}

const keeperOf = (runId: string, db: DatabaseOrTransaction): WalkKeeper => ({
  calling: (call) => keepCall({ runId, ...call }, db),
  accepted: (request) => keepRequestId({ runId, ...request }, db),
  paused: (attempts) => keepPause({ runId, attempts }, db),
});

const providerSchema = attemptSchema.shape.provider;

/** How far a run came: to a request that a provider knows, or between two calls. */
function walkOf({ attempts, provider, model, ...run }: FoundRun): BegunWalk {
  const { providerRequestId: requestId, callElapsedMs: elapsedMs } = run;
  if (requestId === null || model === null)
    return { attempts: z.array(attemptSchema).parse(attempts), open: null };
  const open = { provider: providerSchema.parse(provider), model, requestId, elapsedMs };
  return { attempts: z.array(attemptSchema).parse(attempts.slice(0, -1)), open };
}
