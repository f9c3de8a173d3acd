import { ACTIONS, creditsFor } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { keepCall } from "~/models/metering/calls.server";
import { extendRun } from "~/models/metering/extend.server";
import { grow } from "~/models/metering/growing/grow.server";
import type {
  Asking,
  GrowingAction,
  GrowingProvider,
} from "~/models/metering/growing/growing-action";
import {
  fieldsOf,
  getRequest,
  keepRequest,
  keepResult,
} from "~/models/metering/growing/growing-rows.server";
import { keepParts } from "~/models/metering/growing/keep-parts.server";
import { type Sold, unitsAtFirst } from "~/models/metering/growing/slices";
import { type ActionEnd, deadlineOf, meter, performedOf } from "~/models/metering/meter.server";
import { claimRuns } from "~/models/metering/resume.server";
import type { Run } from "~/models/metering/runs.server";
import {
  type EndedRun,
  type MeterRefusal,
  type StartedRun,
  workOn,
} from "~/models/metering/start-run.server";
import { workMsWithin } from "~/models/metering/work-time";
import { log } from "~/utils/logger.server";

/** A reader of the result in this process, while it comes. */
interface Reader {
  /** Ends the call at the provider; what came until then is paid. */
  signal: AbortSignal;
  /** Is given each part of the result as it comes. */
  onText: (text: string) => void;
}

/** For a result that goes on, whoever reads along. */
export const noReader = (): Reader => ({
  signal: new AbortController().signal,
  onText: () => undefined,
});

export interface AskToGrow {
  userId: string;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  request: Asking;
  idempotencyKey: string | null;
  /** Nobody waits for the end. What came so far is kept, for those who read along. */
  isAsynchronous?: boolean;
}

/** Refused before anything was charged. */
export type GrowingRefusal = MeterRefusal | { status: "generation_unavailable" };

/** Begins to make a result for credits. With a limit all of it is reserved, else slice by slice. */
export function startGrowing(
  action: GrowingAction,
  { userId, apiKeyId = null, request, idempotencyKey, isAsynchronous = false }: AskToGrow,
  reader: Reader,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | GrowingRefusal> {
  const provider = action.provider();
  const seconds = deadlineOf(action.key, { isAsynchronous });
  const units = unitsAtFirst(action.key, action.measure(request));
  const work = { request, isAsynchronous, seconds, sold: ACTIONS[action.key], units };
  return meter<GrowingRefusal>(
    action.key,
    {
      userId,
      apiKeyId,
      units,
      idempotencyKey,
      fields: fieldsOf(action.table, request),
      isAsynchronous,
      own: keepRequest(action, userId, request),
      admit: async () => (provider ? null : { status: "generation_unavailable" }),
    },
    async ({ runId }) => {
      if (!provider) throw new Error(`${action.key} was admitted without a provider`);
      return perform(action, provider, { runId, ...work }, reader, db);
    },
    db,
  );
}

/** The credits that are taken before a result begins. */
export const creditsAtFirst = ({ key, measure }: GrowingAction, request: Asking): number =>
  creditsFor(key, unitsAtFirst(key, measure(request)));

interface Work {
  runId: string;
  request: Asking;
  isAsynchronous: boolean;
  seconds: number;
  /** The price kept with the run, by which its slices are cut. */
  sold: Sold;
  /** Reserved so far. */
  units: number;
}

/**
 * Makes the result of a reserved run, within `seconds`. The call is kept before it leaves, since it has no id at the
 * provider: a process that finds it there never makes it again, and leaves the run to whoever made it.
 */
async function perform(
  action: GrowingAction,
  { name: provider, model, ask }: GrowingProvider,
  { runId, request, isAsynchronous, seconds, sold, units: reserved }: Work,
  { signal, onText }: Reader,
  db: DatabaseOrTransaction,
): Promise<ActionEnd> {
  if (!(await keepCall({ runId, provider, model, attempts: [] }, db))) return { status: "gone" };
  const measure = action.measure(request);
  const parts = isAsynchronous ? keepParts(action.table.name, runId, db) : null;
  const grown = await grow({
    ...{ sold, measure, units: reserved },
    ms: workMsWithin(seconds),
    signal,
    onText(text) {
      parts?.add(text);
      onText(text);
    },
    ask: (ending) => ask(request, ending),
    extend: (units) =>
      extendRun({ runId, units }, db).then(
        ({ status }) => status,
        (error: unknown) => {
          log().error({ err: error, runId }, "a slice could not be reserved");
          return "failed";
        },
      ),
  });
  await parts?.done();
  if ("error" in grown) return grown;
  const units = Object.values(grown.usage).reduce((sum, used) => sum + used, 0);
  return { units, provider, model, own: keepResult(action, grown) };
}

/**
 * Begins up to `limit` asynchronous runs of an action, or these, whose process died before it called the provider. A call
 * that was made is never made again: it has no id by which its result could be fetched.
 */
export async function beginLost(
  action: GrowingAction,
  { limit, runIds }: { limit: number; runIds?: string[] | undefined },
  db: DatabaseOrTransaction = getDb(),
): Promise<Promise<Run>[]> {
  const provider = action.isOn() ? action.provider() : null;
  if (!provider) return [];
  const claim = { action: action.key, providers: [], limit, ...(runIds ? { runIds } : {}) };
  const found = await claimRuns(claim, db);
  const { mostUnits } = ACTIONS[action.key];
  return found.map(({ id: runId, accountId, totalMs, elapsedMs, price, unitsReserved: units }) => {
    log().info({ runId }, "run begun that another process left");
    return workOn(
      {
        runId,
        accountId,
        action: action.key,
        isAsynchronous: true,
        async perform() {
          const request = await getRequest(action.table, runId, db);
          const seconds = (totalMs - elapsedMs) / 1_000;
          const sold = { price, mostUnits };
          const work = { runId, request, isAsynchronous: true, seconds, sold, units };
          return performedOf(action.key, await perform(action, provider, work, noReader(), db));
        },
      },
      db,
    );
  });
}
