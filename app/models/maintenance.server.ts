import { refundStaleGenerations } from "~/models/generation-charges.server";
import { runDueGrants } from "~/models/grant-run.server";
import { redriveDeliveries } from "~/models/webhook-processing.server";
import { log } from "~/utils/logger.server";

/** Each task does a bounded amount a run and says how much; what is left waits for the next run. */
const TASKS = {
  generationsRefunded: () => refundStaleGenerations({ limit: 500 }),
  deliveriesProcessed: () => redriveDeliveries({ limit: 200 }),
  grantsIssued: issueGrants,
} satisfies Record<string, () => Promise<number>>;

/** What the daily run would issue, so that nobody waits for it. */
async function issueGrants(): Promise<number> {
  const { grants, failed } = await runDueGrants({ limit: 10_000 });
  if (failed.length > 0) throw new Error(`no grant for subscription ${failed.join(", ")}`);
  return grants;
}

export type MaintenanceCounts = Record<keyof typeof TASKS, number>;

/**
 * Runs every task, one after the other; safe beside itself. A task that fails does not keep the
 * others from running; `failed` names it.
 */
export async function runMaintenance(): Promise<{ counts: MaintenanceCounts; failed: string[] }> {
  const counts = {} as MaintenanceCounts;
  const failed: string[] = [];
  for (const [name, task] of Object.entries(TASKS) as [
    keyof typeof TASKS,
    () => Promise<number>,
  ][]) {
    try {
      counts[name] = await task();
    } catch (error) {
      counts[name] = 0;
      failed.push(name);
      log().error({ err: error, task: name }, "maintenance task failed");
    }
  }
  return { counts, failed };
}
