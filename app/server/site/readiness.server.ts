import { listPendingMigrations } from "~/models/migrations-applied.server";
import { compareProcesses, type ProcessesHealth } from "~/models/upkeep/compare-processes";
import {
  type GrantsJobHealth,
  getGrantsJobHealth,
  getMaintenanceHealth,
  type MaintenanceHealth,
} from "~/models/upkeep/job-runs.server";
import { listProcesses } from "~/models/upkeep/server-processes.server";
import { getRejectionHealth, type RejectionHealth } from "~/models/webhooks/rejections.server";
import { isStopping } from "~/server/http/guards/stopping.server";
import { log } from "~/utils/logger.server";
import { rememberFor } from "~/utils/remember";
import { withinDeadline } from "~/utils/within-deadline";

/**
 * Milliseconds for which a result is reused: anyone may send probes, and each check costs queries.
 */
const FRESH_MS = 1_000;
/** A database that doesn't respond fails the check instead of blocking every probe. */
const DEADLINE_MS = 3_000;

interface Readiness {
  ready: boolean;
  /** Failed checks. `dailyGrants` is only a warning: the process still serves without it. */
  failing: ("stopping" | "database" | "migrations" | "dailyGrants")[];
  /** Names and times, for operators only. */
  details: {
    pendingMigrations?: string[];
    dailyGrants?: GrantsJobHealth;
    refusedWebhooks?: RejectionHealth;
    maintenance?: MaintenanceHealth;
    processes?: ProcessesHealth;
  };
}

/**
 * Whether this process can serve: it was not told to stop, the database responds and has every migration.
 * At most 1 s old; a stop shows at once.
 */
export async function getReadiness(): Promise<Readiness> {
  if (isStopping()) return { ready: false, failing: ["stopping"], details: {} };
  return checkNowAndThen();
}

const checkNowAndThen: () => Promise<Readiness> = rememberFor(FRESH_MS, async () => {
  try {
    return await withinDeadline(checkReadiness(), DEADLINE_MS, "the database is silent");
  } catch (error) {
    log().error({ err: error }, "not ready");
    return { ready: false, failing: ["database"], details: {} };
  }
});

async function checkReadiness(): Promise<Readiness> {
  const pendingMigrations = await listPendingMigrations();
  if (pendingMigrations.length > 0) {
    return { ready: false, failing: ["migrations"], details: { pendingMigrations } };
  }
  const [dailyGrants, refusedWebhooks, maintenance, running] = await Promise.all([
    getGrantsJobHealth(),
    getRejectionHealth(),
    getMaintenanceHealth(),
    listProcesses(),
  ]);
  // Taking the process out of service would not run the job.
  if (dailyGrants.overdue) log().warn(dailyGrants, "the daily grants have not run for 26 hours");
  return {
    ready: true,
    failing: dailyGrants.overdue ? ["dailyGrants"] : [],
    details: {
      pendingMigrations,
      dailyGrants,
      refusedWebhooks,
      maintenance,
      processes: compareProcesses(running),
    },
  };
}
