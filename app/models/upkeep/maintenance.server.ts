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
import { announceExpiries } from "~/models/upkeep/expiring-credits.server";
import { sampleLedger } from "~/models/upkeep/ledger-sample.server";
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

interface Task {
  /** Most that one run does. The rest waits for the next run; `backlogs.server.ts` counts it. */
  limit: number;
  /** Returns how much it did. */
  run(limit: number, services: Services): Promise<number>;
}

const TASKS = {
  generationsRefunded: {
    limit: 500,
    run: (limit) =>
      endStaleRuns({ limit, cancel: (request) => cancelImages(request, getImageRouter()) }),
  },
  deliveriesProcessed: { limit: 200, run: (limit) => redriveDeliveries({ limit }) },
  returnsMatched: { limit: 200, run: (limit) => matchKeptReturns({ limit }) },
  topUpsSettled: { limit: 50, run: (limit) => settleTopUps({ limit }, requireKeptCards()) },
  subscriptionsEnded: {
    limit: 20,
    run: (limit) => endChargingDeleted({ limit }, getPaymentProvider),
  },
  grantsIssued: { limit: 10_000, run: issueGrants },
  lotsExpired: { limit: 5000, run: async (limit) => (await bookDueExpiries({ limit })).lots },
  expiriesAnnounced: { limit: 500, run: (limit) => announceExpiries({ limit }) },
  emailsSent: { limit: 500, run: (limit) => sendDueEmails({ limit }) },
  figureDaysMade: { limit: 31, run: (limit) => makeFigureDays({ limit }) },
  uploadsSwept: withStore(200, sweepUnconfirmed),
  filesRemoved: withStore(200, removeDeletedFiles),
  filesMoved: withStore(200, moveFiles),
  straysRemoved: withStore(200, removeStrays),
  filesRejected: withStore(200, rejectReplacedFiles),
  dataUrlsPurged: { limit: 100, run: (limit) => purgeDataUrls({ limit }) },
  sessionsRemoved: removing("sessions"),
  tokensRemoved: removing("tokens"),
  emailsRemoved: removing("emails"),
  challengesRemoved: removing("challenges"),
  payloadsDropped: { limit: 1000, run: (limit) => dropOldPayloads({ limit }) },
  idempotencyKeysRemoved: removing("idempotencyKeys"),
  rateLimitsRemoved: removing("rateLimits"),
  jobRunsRemoved: removing("jobRuns"),
  rejectionsRemoved: removing("rejections"),
  crossingsRemoved: removing("crossings"),
  processesRemoved: removing("processes"),
  ledgerFaultsFound: { limit: 40, run: (limit) => sampleLedger({ accounts: limit }) },
  // Last, since pictures take longest.
  thumbnailsMade: withStore(50, makeDueThumbnails),
} satisfies Record<string, Task>;

function withStore(
  limit: number,
  sweep: (work: { store: ObjectStore; limit: number }) => Promise<number>,
): Task {
  return { limit, run: async (most, { store }) => (store ? sweep({ store, limit: most }) : 0) };
}

function removing(kind: Parameters<typeof removeOutdated>[0]): Task {
  return { limit: 5000, run: (limit) => removeOutdated(kind, { limit }) };
}

/** Issues due grants before the daily run, so that nobody waits for it. */
async function issueGrants(limit: number): Promise<number> {
  const { grants, failed } = await runDueGrants({ limit });
  if (failed.length > 0) throw new Error(`no grant for subscription ${failed.join(", ")}`);
  return grants;
}

export type TaskName = keyof typeof TASKS;
export type MaintenanceCounts = Record<TaskName, number>;

/** Most that one run of each task does. */
export const MAINTENANCE_LIMITS = Object.fromEntries(
  Object.entries(TASKS).map(([name, { limit }]) => [name, limit]),
) as Record<TaskName, number>;

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
      const { limit, run } = TASKS[name];
      counts[name] = await run(limit, services);
    } catch (error) {
      counts[name] = 0;
      failed.push(name);
      log().error({ err: error, task: name }, "maintenance task failed");
    }
  }
  return { counts, failed };
}
