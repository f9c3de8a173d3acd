import { endChargingDeleted } from "~/models/billing/cancellations/deleted-owners.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { matchKeptReturns } from "~/models/billing/returns/kept-returns.server";
import { settleTopUps } from "~/models/billing/top-ups/run-top-up.server";
import { bookDueExpiries } from "~/models/credits/expiries.server";
import { sendDueEmails } from "~/models/email-delivery/send-emails.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
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
import { tellUntold } from "~/models/metering/untold-crossings.server";
import { announceExpiries } from "~/models/upkeep/expiring-credits.server";
import { sampleLedger } from "~/models/upkeep/ledger-sample.server";
import {
  MAINTENANCE_LIMITS,
  MAINTENANCE_TASKS,
  type TaskName,
} from "~/models/upkeep/maintenance-limits";
import {
  dropOldPayloads,
  purgeDataUrls,
  removeOutdated,
} from "~/models/upkeep/record-sweeps.server";
import { redriveDeliveries } from "~/models/webhooks/processing.server";
import { getImageRouter } from "~/services/images/configured-router.server";
import {
  getPaymentProvider,
  requireKeptCards,
} from "~/services/payments/get-payment-provider.server";
import type { ObjectStore } from "~/services/storage/object-store.server";
import { log } from "~/utils/logger.server";

interface Services {
  /** Null while storage is off; its sweeps are skipped. */
  store: ObjectStore | null;
}

/** Does up to `limit` of its work, and returns how much it did. */
type Task = (limit: number, services: Services) => Promise<number>;

const TASKS: Record<TaskName, Task> = {
  generationsRefunded: (limit) =>
    endStaleRuns({ limit, cancel: (request) => cancelImages(request, getImageRouter()) }),
  deliveriesProcessed: (limit) => redriveDeliveries({ limit }),
  returnsMatched: (limit) => matchKeptReturns({ limit }),
  crossingsTold: (limit) => tellUntold({ limit }),
  topUpsSettled: (limit) => settleTopUps({ limit }, requireKeptCards()),
  subscriptionsEnded: (limit) => endChargingDeleted({ limit }, getPaymentProvider),
  grantsIssued: issueGrants,
  lotsExpired: async (limit) => (await bookDueExpiries({ limit })).lots,
  expiriesAnnounced: (limit) => announceExpiries({ limit }),
  emailsSent: (limit) => sendDueEmails({ limit }),
  figureDaysMade: (limit) => makeFigureDays({ limit }),
  uploadsSwept: withStore(sweepUnconfirmed),
  filesRemoved: withStore(removeDeletedFiles),
  filesMoved: withStore(moveFiles),
  straysRemoved: withStore(removeStrays),
  filesRejected: withStore(rejectReplacedFiles),
  dataUrlsPurged: (limit) => purgeDataUrls({ limit }),
  sessionsRemoved: removing("sessions"),
  tokensRemoved: removing("tokens"),
  emailsRemoved: removing("emails"),
  challengesRemoved: removing("challenges"),
  payloadsDropped: (limit) => dropOldPayloads({ limit }),
  idempotencyKeysRemoved: removing("idempotencyKeys"),
  rateLimitsRemoved: removing("rateLimits"),
  jobRunsRemoved: removing("jobRuns"),
  rejectionsRemoved: removing("rejections"),
  crossingsRemoved: removing("crossings"),
  processesRemoved: removing("processes"),
  ledgerFaultsFound: (limit) => sampleLedger({ accounts: limit }),
  thumbnailsMade: withStore(makeDueThumbnails),
};

function withStore(sweep: (work: { store: ObjectStore; limit: number }) => Promise<number>): Task {
  return async (limit, { store }) => (store ? sweep({ store, limit }) : 0);
}

function removing(kind: Parameters<typeof removeOutdated>[0]): Task {
  return (limit) => removeOutdated(kind, { limit });
}

/** Issues due grants before the daily run, so that nobody waits for it. */
async function issueGrants(limit: number): Promise<number> {
  const { grants, failed } = await runDueGrants({ limit });
  if (failed.length > 0) throw new Error(`no grant for subscription ${failed.join(", ")}`);
  return grants;
}

export type MaintenanceCounts = Record<TaskName, number>;

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
      counts[name] = await TASKS[name](MAINTENANCE_LIMITS[name], services);
    } catch (error) {
      counts[name] = 0;
      failed.push(name);
      log().error({ err: error, task: name }, "maintenance task failed");
    }
  }
  return { counts, failed };
}
