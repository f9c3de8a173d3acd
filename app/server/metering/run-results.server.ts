import { ACTION_PARTS } from "~/models/actions/registry.server";
import type { Run } from "~/models/metering/runs.server";

/** The result of a settled run as the API has it; null for an action without results there. */
export const resultOf = async (run: Run): Promise<object | null> =>
  (await ACTION_PARTS[run.action]?.results?.one(run)) ?? null;

/** Results of runs by the runs' ids. */
export async function resultsOf(runs: Run[]): Promise<Map<string, object>> {
  const actions = [...new Set(runs.map(({ action }) => action))];
  const results = await Promise.all(
    actions.map((action) =>
      ACTION_PARTS[action]?.results?.several(
        runs.filter((run) => run.action === action).map(({ id }) => id),
      ),
    ),
  );
  return new Map(results.flatMap((listed) => listed ?? []));
}
