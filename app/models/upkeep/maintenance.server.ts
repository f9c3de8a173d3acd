import { endChargingDeleted } from "~/models/billing/cancellations/deleted-owners.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { bookDueExpiries } from "~/models/credits/expiries.server";
import { sendDueEmails } from "~/models/email-delivery/send-emails.server";
import { removeStrays } from "~/models/files/stray-objects.server";
import {
  rejectReplacedFiles,
  removeDeletedFiles,
  sweepUnconfirmed,
} from "~/models/files/sweeps.server";
import { makeDueThumbnails } from "~/models/files/thumbnails.server";
import { moveFiles } from "~/models/images/image-moves.server";
import { cancelImages } from "~/models/images/resume-images.server";
import { endStaleRuns } from "~/models/metering/stale-runs.server";
import { announceExpiries } from "~/models/upkeep/expiring-credits.server";
import {
  dropOldPayloads,
  purgeDataUrls,
  removeOutdated,
} from "~/models/upkeep/record-sweeps.server";
import { redriveDeliveries } from "~/models/webhooks/processing.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

interface Services {
  /** Null while storage is off; its sweeps are skipped. */
  store: ObjectStore | null;
}

/** Each task does a bounded amount of work per run and returns how much. The rest waits for the next run. */
const TASKS = {
  generationsRefunded: () =>
    endStaleRuns({ limit: 500, cancel: (request) => cancelImages(request, getImageRouter()) }),
  deliveriesProcessed: () => redriveDeliveries({ limit: 200 }),
  returnsMatched: () => matchKeptReturns({ limit: 200 }),
  subscriptionsEnded: () => endChargingDeleted({ limit: 20 }, getPaymentProvider),
  grantsIssued: issueGrants,
  lotsExpired: async () => (await bookDueExpiries({ limit: 5000 })).lots,
  expiriesAnnounced: () => announceExpiries({ limit: 500 }),
  emailsSent: () => sendDueEmails({ limit: 500 }),
  uploadsSwept: withStore((store) => sweepUnconfirmed({ store, limit: 200 })),
  filesRemoved: withStore((store) => removeDeletedFiles({ store, limit: 200 })),
  filesMoved: withStore((store) => moveFiles({ store, limit: 200 })),
  straysRemoved: withStore((store) => removeStrays({ store, limit: 200 })),
  filesRejected: withStore((store) => rejectReplacedFiles({ store, limit: 200 })),
  dataUrlsPurged: () => purgeDataUrls({ limit: 100 }),
  sessionsRemoved: () => removeOutdated("sessions", { limit: 5000 }),
  tokensRemoved: () => removeOutdated("tokens", { limit: 5000 }),
  emailsRemoved: () => removeOutdated("emails", { limit: 5000 }),
  challengesRemoved: () => removeOutdated("challenges", { limit: 5000 }),
  payloadsDropped: () => dropOldPayloads({ limit: 1000 }),
  idempotencyKeysRemoved: () => removeOutdated("idempotencyKeys", { limit: 5000 }),
  rateLimitsRemoved: () => removeOutdated("rateLimits", { limit: 5000 }),
  jobRunsRemoved: () => removeOutdated("jobRuns", { limit: 5000 }),
  rejectionsRemoved: () => removeOutdated("rejections", { limit: 5000 }),
  crossingsRemoved: () => removeOutdated("crossings", { limit: 5000 }),
  // Last, since pictures take longest.
  thumbnailsMade: withStore((store) => makeDueThumbnails({ store, limit: 50 })),
} satisfies Record<string, (services: Services) => Promise<number>>;

function withStore(sweep: (store: ObjectStore) => Promise<number>) {
  return async ({ store }: Services) => (store ? sweep(store) : 0);
}

/** Issues due grants before the daily run, so that nobody waits for it. */
async function issueGrants(): Promise<number> {
  const { grants, failed } = await runDueGrants({ limit: 10_000 });
  if (failed.length > 0) throw new Error(`no grant for subscription ${failed.join(", ")}`);
  return grants;
}

type TaskName = keyof typeof TASKS;
export type MaintenanceCounts = Record<TaskName, number>;

export const MAINTENANCE_TASKS = Object.keys(TASKS) as TaskName[];

/**
 * Runs every task in turn; safe to run in parallel with itself. A failing task does not stop the
 * others; `failed` names it.
 */
export async function runMaintenance(
  services: Services,
): Promise<{ counts: MaintenanceCounts; failed: TaskName[] }> {
  const counts = {} as MaintenanceCounts;
  const failed: TaskName[] = [];
  for (const name of MAINTENANCE_TASKS) {
    try {
      counts[name] = await TASKS[name](services);
    } catch (error) {
      counts[name] = 0;
      failed.push(name);
      log().error({ err: error, task: name }, "maintenance task failed");
    }
  }
  return { counts, failed };
}
