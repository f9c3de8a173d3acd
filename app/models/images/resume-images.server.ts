import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { ImageServices } from "~/models/images/generate-images.server";
import { getGeneration } from "~/models/images/generations.server";
import { makeImages } from "~/models/images/make-images.server";
import { performedOf } from "~/models/metering/meter.server";
import { claimRuns, type FoundRun } from "~/models/metering/resume.server";
import type { Run } from "~/models/metering/runs.server";
import type { AbandonedRequest } from "~/models/metering/stale-runs.server";
import { workOn } from "~/models/metering/start-run.server";
import { generationRequestSchema } from "~/services/images/generation-request";
import type { ImageRouter } from "~/services/images/image-router.server";
import { log } from "~/utils/logger.server";

/** A run that this process goes on with. */
interface ResumedRun {
  userId: string;
  ended: Promise<Run>;
}

type Services = Pick<ImageServices, "router" | "store">;

/**
 * Takes over up to `limit` runs for images, or these, that another process left, and goes on with them: fetches the
 * results of those that a provider knows, and begins asynchronous ones that were never begun.
 */
export async function resumeImages(
  { limit, runIds, ...services }: Services & { limit: number; runIds?: string[] | undefined },
  db: DatabaseOrTransaction = getDb(),
): Promise<ResumedRun[]> {
  const { router } = services;
  if (!router) return [];
  const providers = router.providers.filter(({ requests }) => requests).map(({ name }) => name);
  const found = await claimRuns(
    { action: "image", providers, limit, ...(runIds ? { runIds } : {}) },
    db,
  );
  return found.map((run) => ({
    userId: run.accountId,
    ended: resumeOne(run, services, db),
  }));
}

function resumeOne(found: FoundRun, services: Services, db: DatabaseOrTransaction): Promise<Run> {
  const { id: runId, accountId, action, totalMs } = found;
  log().info({ runId, provider: found.provider }, "run resumed");
  return workOn(
    {
      runId,
      accountId,
      action,
      isAsynchronous: true,
      async perform(work) {
        const generation = await getGeneration({ generationId: runId, accountId }, db);
        const request = generationRequestSchema.parse(generation);
        const asked = { userId: accountId, request, ...services, totalMs, found };
        return performedOf("image", await makeImages({ ...asked, isAsynchronous: true }, work, db));
      },
    },
    db,
  );
}

/** Tells a provider to stop working on a run that was refunded. Never throws. */
export async function cancelImages(
  { provider, model, requestId }: AbandonedRequest,
  router: ImageRouter | null,
): Promise<void> {
  const asked = router?.providers.find(({ name }) => name === provider);
  await asked?.requests?.cancel({ requestId, model });
}
