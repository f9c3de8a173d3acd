import { ACTIONS, type ActionKey, costUsdMicrosOf } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { getEnv } from "~/env.server";
import type { OwnStep, Reservation } from "~/models/metering/reserve.server";
import { accountOf, hashInput, type RunFault } from "~/models/metering/runs.server";
import {
  type EndedRun,
  type MeterRefusal,
  type Perform,
  type Performed,
  type StartedRun,
  startRun,
} from "~/models/metering/start-run.server";

/** A person's request for a run of an action. */
export interface ActionRequest {
  userId: string;
  /** The key of a program; none for a session. */
  apiKeyId?: string | null;
  /** The most that the run may use, from 1. It is paid in advance, and what isn't used goes back. */
  units: number;
  /** From the client or the form; null for a request without one. */
  idempotencyKey: string | null;
  /** The request's fields, in a fixed order. They tell apart two requests under one key. */
  fields: readonly unknown[];
  /** Nobody waits for the end: it may take as long as the catalog says, and any process may go on with it. */
  isAsynchronous?: boolean;
  /** Keeps what was asked for, in the action's own table. */
  own: OwnStep;
}

/** The work's result. */
export interface ActionResult {
  /** The units that were used. 0 counts as a failure: everything goes back. */
  units: number;
  provider: string;
  model: string | null;
  /** In millionths of a US dollar. Without it the catalog's figure per unit counts. */
  costUsdMicros?: number | null;
  /** Keeps the result, in the action's own table. */
  own: OwnStep;
}

/**
 * The work's end. `pending`: a provider goes on with it, or no call is open, and a process will go on after so many
 * seconds. `gone`: the run has ended, or another process works on it.
 */
export type ActionEnd =
  | ActionResult
  | { error: RunFault }
  | { status: "pending"; seconds?: number }
  | { status: "gone" };

/** The work of an action, outside of transactions. What it throws counts as `generation_failed`. */
export type PerformAction = (run: Parameters<Perform>[0]) => Promise<ActionEnd>;

/**
 * Performs an action for credits. It takes the credits before the work begins, charges for the units that were
 * used, and gives the rest back; if the work fails, all of them. Everything else that a run needs comes with
 * it: one charge however often a request is repeated, and a refund if the process dies.
 *
 * Returns once the credits are taken. The work goes on whether or not anybody waits for `ended`.
 * `admit` is asked before anything is taken; a refusal ends it with nothing charged.
 * @throws RangeError for units that the catalog doesn't allow
 */
export function meter<Refusal = never>(
  action: ActionKey,
  { admit, ...request }: ActionRequest & { admit?: () => Promise<Refusal | null> },
  perform: PerformAction,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | MeterRefusal | Refusal> {
  return startRun<Refusal>(
    {
      ...reservationOf(action, request),
      ...(admit ? { admit } : {}),
      perform: async (run) => performedOf(action, await perform(run)),
    },
    db,
  );
}

/**
 * The reservation that `meter` makes, for code that takes the steps of a run itself.
 * @throws RangeError for units that the catalog doesn't allow
 */
export function reservationOf(action: ActionKey, request: ActionRequest): Reservation {
  const { userId, apiKeyId = null, units, idempotencyKey, fields, own } = request;
  const { isAsynchronous = false } = request;
  const { mostUnits } = ACTIONS[action];
  if (!Number.isInteger(units) || units < 1 || units > mostUnits)
    throw new RangeError(`a run of ${action} has 1 to ${mostUnits} units, not ${units}`);
  return {
    accountId: accountOf({ id: userId }),
    actorId: userId,
    apiKeyId,
    action,
    units,
    idempotencyKey,
    requestHash: hashInput(fields),
    isAsynchronous,
    deadlineSeconds: deadlineOf(action, { isAsynchronous }),
    own,
  };
}

/** Seconds in which a run must end. */
export const deadlineOf = (
  action: ActionKey,
  { isAsynchronous }: { isAsynchronous: boolean },
): number => (isAsynchronous ? ACTIONS[action].asynchronousSeconds : getEnv().ttl.generation);

/** The key of a form that was sent: the same form with the same fields is the same request, however often it comes. */
export const formIdempotencyKey = (formKey: string, fields: readonly unknown[]): string =>
  `form:${formKey}:${hashInput(fields)}`;

/** The end of a run's work, as its settlement needs it. */
export function performedOf(action: ActionKey, result: ActionEnd): Performed {
  if ("status" in result) return result;
  if ("error" in result) return { status: "failed", error: result.error };
  const { units, provider, model, own } = result;
  const known = model === null ? null : costUsdMicrosOf(action, { provider, model, units });
  const { costUsdMicros = known } = result;
  return { status: "done", unitsUsed: units, provider, model, costUsdMicros, own };
}
