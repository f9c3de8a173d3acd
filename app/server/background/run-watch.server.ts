import { getEnv } from "~/env.server";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { cancelImages, resumeImages } from "~/models/images/resume-images.server";
import { beginLost } from "~/models/metering/growing/start-growing.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { makeThumbnailsAfter } from "~/server/images/thumbnails-after.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { getObjectStore } from "~/services/storage/s3-store.server";
import { log } from "~/utils/logger.server";

/** A run whose process died has no job that says so: its lease does. */
const EVERY_MS = 1_000;
/** Taken over in one look. The rest comes with the next. */
const LIMIT = 100;

let timers: NodeJS.Timeout[] = [];

const routerInUse = () => (getEnv().images.enabled ? getImageRouter() : null);

/**
 * Goes on with these runs, or with any, as far as no process works on them. Resolves once they are taken over: their
 * ends are awaited by nobody, and their leases renewed as long as this process lives.
 */
export async function goOnWith(runIds?: string[]): Promise<void> {
  const services = { router: routerInUse(), store: getObjectStore() };
  const taken = await resumeImages({ limit: LIMIT, runIds, ...services });
  for (const { userId, ended } of taken) makeThumbnailsAfter(ended, { userId });
  for (const { growing } of Object.values(ACTION_PARTS)) {
    if (!growing) continue;
    // Nobody waits for them, and `workOn` logs what fails.
    for (const ended of await beginLost(growing, { limit: LIMIT, runIds }))
      ended.catch(() => undefined);
  }
}

async function endLost(): Promise<void> {
  const router = routerInUse();
  await endStaleRuns({ limit: LIMIT, cancel: (request) => cancelImages(request, router) });
}

/** Repeats a step by itself: a run that can't be refunded, or waits for its account, must not keep others waiting. */
function repeat(step: () => Promise<void>): NodeJS.Timeout {
  let isBusy = false;
  let hasFailed = false;
  const look = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await step();
      hasFailed = false;
    } catch (error) {
      // Each second of an outage would say the same.
      if (!hasFailed) log().error({ err: error }, "runs of other processes not looked for");
      hasFailed = true;
    } finally {
      isBusy = false;
    }
  };
  return setInterval(() => void look(), EVERY_MS).unref();
}

/** Looks for runs whose process is gone: goes on with them where it can, and refunds the others. */
export const runWatch = {
  start(): void {
    timers = [repeat(endLost), repeat(() => goOnWith())];
  },
  /** Begins no further look. */
  stop(): void {
    for (const timer of timers) clearInterval(timer);
  },
};
