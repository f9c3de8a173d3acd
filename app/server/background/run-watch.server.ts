import { getEnv } from "~/env.server";
import { cancelImages, resumeImages } from "~/models/images/resume-images.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { thumbnailWorkers } from "~/server/background/thumbnail-workers.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { log } from "~/utils/logger.server";

/** Runs that another process handed over are found within this time. */
const EVERY_MS = 1_000;
/** Taken over in one look. The rest comes with the next. */
const LIMIT = 100;

let timer: NodeJS.Timeout | undefined;
let isLooking = false;

async function look(): Promise<void> {
  isLooking = true;
  const router = getEnv().images.enabled ? getImageRouter() : null;
  try {
    await endStaleRuns({ limit: LIMIT, cancel: (request) => cancelImages(request, router) });
    const resumed = await resumeImages({ limit: LIMIT, router, store: getObjectStore() });
    for (const run of resumed) void run.then(thumbnailWorkers.wake, () => undefined);
  } catch (error) {
    log().error({ err: error }, "runs of other processes not looked for");
  } finally {
    isLooking = false;
  }
}

/** Looks for runs whose process is gone: goes on with them where it can, and refunds the others. */
export const runWatch = {
  start(): void {
    timer = setInterval(() => {
      if (!isLooking) void look();
    }, EVERY_MS).unref();
  },
  /** Begins no further look. */
  stop(): void {
    clearInterval(timer);
  },
};
