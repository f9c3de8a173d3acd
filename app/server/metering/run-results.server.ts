import { ACTION_PARTS } from "~/models/actions/registry.server";
import type { Run } from "~/models/metering/runs.server";

/** The result of a settled run as the API has it; null for an action without results there. */
export const resultOf = async (run: Run): Promise<object | null> =>
  (await ACTION_PARTS[run.action]?.results?.one(run)) ?? null;

type AnyRun = Pick<Run, "id" | "action">;

/** Results of runs by the runs' ids. */
export const resultsOf = (runs: AnyRun[]): Promise<Map<string, object>> =>
  byAction(runs, (results, runIds) => results.several(runIds));

/** Addresses of the runs' pictures in our store, signed for so many seconds, by the runs' ids. */
export const picturesOf = (runs: AnyRun[], seconds: number): Promise<Map<string, string[]>> =>
  byAction(runs, (results, runIds) => results.pictures?.({ runIds, seconds }));

type Results = NonNullable<(typeof ACTION_PARTS)[Run["action"]]["results"]>;

/** Reads something of all runs of each action at once. */
async function byAction<Read>(
  runs: AnyRun[],
  read: (results: Results, runIds: string[]) => Promise<[string, Read][]> | undefined,
): Promise<Map<string, Read>> {
  const actions = [...new Set(runs.map(({ action }) => action))];
  const lists = await Promise.all(
    actions.map((action) => {
      const results = ACTION_PARTS[action]?.results;
      const runIds = runs.filter((run) => run.action === action).map(({ id }) => id);
      return results && read(results, runIds);
    }),
  );
  return new Map(lists.flatMap((listed) => listed ?? []));
}
