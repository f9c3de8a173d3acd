import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { type Reservation, type ReserveResult, reserveRun } from "~/models/metering/reserve.server";
import { keepRunning } from "~/models/metering/running.server";
import { findEarlierRun, getRun, type Run, type RunFault } from "~/models/metering/runs.server";
import { refundRun, type Settlement, settleRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";

/** What an action's own work came to. */
export type Performed =
  | ({ status: "done" } & Omit<Settlement, "runId">)
  /** Everything goes back. */
  | { status: "failed"; error: RunFault };

export interface Metered<Refusal> extends Reservation {
  /**
   * Asked before anything is taken, and not for a repeated request. A refusal ends it with nothing
   * charged.
   */
  admit?: () => Promise<Refusal | null>;
  /** Does the paid work. What it throws counts as a failure. */
  perform: (runId: string) => Promise<Performed>;
}

export type MeterRefusal =
  | Extract<ReserveResult, { status: "insufficient" | "limit_reached" }>
  | { status: "idempotency_mismatch" }
  | { status: "idempotency_in_progress"; runId: string };

export interface StartedRun {
  status: "started";
  runId: string;
  /** Resolves once the run has ended. */
  ended: Promise<Run>;
}

/** `ended`: now, or by an earlier request with the same key. */
export type EndedRun = { status: "ended"; run: Run };

/**
 * Performs an action for credits: reserve, perform, settle. It takes the credits before the work begins, and gives them back if it fails.
 * Each change to the credits shares a transaction with the run's row. If the process dies in between, the
 * run's lease ends and maintenance refunds it. Returns once the credits are taken: the rest goes on
 * whether or not anybody waits for it. A request with the key of an earlier one performs nothing.
 */
export async function startRun<Refusal = never>(
  metered: Metered<Refusal>,
  db: DatabaseOrTransaction = getDb(),
): Promise<StartedRun | EndedRun | MeterRefusal | Refusal> {
  const earlier = await earlierResult(metered, db);
  if (earlier) return earlier;
  const refusal = await metered.admit?.();
  if (refusal) return refusal;
  const reserved = await reserveRun(metered, db);
  if (reserved.status === "key_taken") {
    // Two requests at once used one key.
    const other = await earlierResult(metered, db);
    if (!other) throw new Error("an idempotency key is taken, and no run has it");
    return other;
  }
  if (reserved.status !== "reserved") return reserved;
  const { runId } = reserved;
  const ended = finish(runId, metered, db);
  keepRunning(runId, ended);
  return { status: "started", runId, ended };
}

/** What an earlier request with this key came to; null for a new request. */
async function earlierResult(
  { accountId, action, requestHash, idempotencyKey }: Reservation,
  db: DatabaseOrTransaction,
): Promise<EndedRun | MeterRefusal | null> {
  if (idempotencyKey === null) return null;
  const earlier = await findEarlierRun({ accountId, action, requestHash, idempotencyKey }, db);
  switch (earlier.status) {
    case "none":
      return null;
    case "mismatch":
      return { status: "idempotency_mismatch" };
    case "in_progress":
      return { status: "idempotency_in_progress", runId: earlier.runId };
    case "ended":
      return earlier;
    case "abandoned": {
      const { runId } = earlier;
      return {
        status: "ended",
        run: await endedBy(refundRun(failure(runId), db), runId, accountId, db),
      };
    }
  }
}

const failure = (runId: string) => ({ runId, error: "generation_failed" }) as const;

async function finish(
  runId: string,
  { accountId, action, perform }: Pick<Metered<never>, "accountId" | "action" | "perform">,
  db: DatabaseOrTransaction,
): Promise<Run> {
  const began = performance.now();
  const run = await endedBy(performAndEnd(runId, perform, db), runId, accountId, db);
  const { status, unitsUsed, creditsCharged, provider, error } = run;
  const ms = Math.round(performance.now() - began);
  log().info(
    { runId, action, status, unitsUsed, creditsCharged, provider, error, ms },
    "run ended",
  );
  return run;
}

async function performAndEnd(
  runId: string,
  perform: Metered<never>["perform"],
  db: DatabaseOrTransaction,
): Promise<Run | null> {
  try {
    const done = await perform(runId);
    if (done.status === "failed") return await refundRun({ runId, error: done.error }, db);
    if (done.unitsUsed === 0) return await refundRun(failure(runId), db);
    return await settleRun({ runId, ...done }, db);
  } catch (error) {
    // A bug or a lost database. If the refund fails, too, the lease ends and maintenance refunds it.
    log().error({ err: error, runId }, "a run failed unexpectedly");
    return refundRun(failure(runId), db);
  }
}

/** The run that `end` ended, or as another process did. */
async function endedBy(
  end: Promise<Run | null>,
  runId: string,
  accountId: string,
  db: DatabaseOrTransaction,
): Promise<Run> {
  const run = (await end) ?? (await getRun({ runId, accountId }, db));
  if (!run) throw new Error(`metered_runs: ${runId} is gone`);
  return run;
}
