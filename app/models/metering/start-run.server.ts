import { setTimeout as delay } from "node:timers/promises";
import type { ActionKey } from "~/catalog";
import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { releaseRun } from "~/models/metering/leases.server";
import { type Reservation, type ReserveResult, reserveRun } from "~/models/metering/reserve.server";
import { keepRunning } from "~/models/metering/running.server";
import { findEarlierRun, getRun, type Run, type RunFault } from "~/models/metering/runs.server";
import { refundRun, type Settlement, settleRun } from "~/models/metering/settle.server";
import { log } from "~/utils/logger.server";
import { inSpan } from "~/utils/tracing.server";

/** The end of an action's own work. */
export type Performed =
  | ({ status: "done" } & Omit<Settlement, "runId">)
  /** Everything goes back. */
  | { status: "failed"; error: RunFault }
  /** Another process, or this one later, goes on, after so many seconds. */
  | { status: "pending"; seconds?: number }
  /** It has ended, or another process works on it, whose lease must stay. */
  | { status: "gone" };

/** Does the paid work of a run. What it throws counts as a failure. */
export type Perform = (run: {
  runId: string;
  /** Asks to leave the run to another process, if a provider knows it. */
  handOver: AbortSignal;
}) => Promise<Performed>;

export interface Metered<Refusal> extends Reservation {
  /**
   * Asked before anything is taken, and not for a repeated request. A refusal ends it with nothing
   * charged.
   */
  admit?: () => Promise<Refusal | null>;
  perform: Perform;
}

export type MeterRefusal =
  | Extract<ReserveResult, { status: "insufficient" | "limit_reached" | "account_deleted" }>
  | { status: "idempotency_mismatch" }
  | { status: "idempotency_in_progress"; runId: string };

export interface StartedRun {
  status: "started";
  runId: string;
  /** Resolves once the run has ended, or once this process has left it to another: it is still reserved then. */
  ended: Promise<Run>;
}

/** `ended`: now, or by an earlier request with the same key. */
export type EndedRun = { status: "ended"; run: Run };

/**
 * Performs an action for credits: reserve, perform, settle. It takes the credits before the work begins, and gives them back if it fails.
 * Each change to the credits shares a transaction with the run's row. If the process dies in between, the
 * run's lease ends, and another process goes on with it or refunds it. Returns once the credits are taken: the rest goes on
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
  const ended = workOn({ runId, ...metered }, db);
  // Nobody may wait for it, and `keepRunning` has logged the fault.
  ended.catch(() => undefined);
  return { status: "started", runId, ended };
}

/** Returns the end of an earlier request with this key; null for a new request. */
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

interface Work {
  runId: string;
  accountId: string;
  action: ActionKey;
  isAsynchronous: boolean;
  perform: Perform;
}

/**
 * Performs a reserved run whose lease this process holds, and ends it. Returns the run as it stands once this
 * process is done with it: ended, or left to another process.
 */
export async function workOn(
  { runId, accountId, action, isAsynchronous, perform }: Work,
  db: DatabaseOrTransaction = getDb(),
): Promise<Run> {
  const began = performance.now();
  let ended: Run | null = null;
  await keepRunning({ runId, isAwaited: !isAsynchronous }, (handOver) =>
    inSpan(
      {
        name: `run ${action}`,
        kind: "internal",
        facts: { "rcs.run_id": runId, "rcs.user_id": accountId },
      },
      async () => {
        ended = await performAndEnd({ runId, handOver }, perform, db);
      },
    ),
  );
  const run = await endedBy(Promise.resolve(ended), runId, accountId, db);
  const { status, unitsUsed, creditsCharged, provider, error } = run;
  const ms = Math.round(performance.now() - began);
  const facts = { runId, action, status, unitsUsed, creditsCharged, provider, error, ms };
  // Nobody else says so: the response to a form, or to a request that waits for nothing, is long sent.
  if (error === "generation_failed") log().error(facts, "run failed, and everything went back");
  else log().info(facts, status === "reserved" ? "run left to go on later" : "run ended");
  return run;
}

async function performAndEnd(
  { runId, handOver }: Parameters<Perform>[0],
  perform: Perform,
  db: DatabaseOrTransaction,
): Promise<Run | null> {
  try {
    const done = await perform({ runId, handOver });
    if (done.status === "gone") return null;
    if (done.status === "pending") {
      if (await releaseRun({ runId, seconds: done.seconds ?? 0 }, db)) return null;
      // Nobody could go on, unless it has ended.
      return await refundRun(failure(runId), db);
    }
    if (done.status === "failed") return await refundRun({ runId, error: done.error }, db);
    if (done.unitsUsed === 0) return await refundRun(failure(runId), db);
    return await settleInTime({ runId, ...done }, db);
  } catch (error) {
    log().error({ err: error, runId }, "a run failed unexpectedly");
    // A bug or a lost database. The provider may have the result: another try comes, until the deadline.
    if (await releaseRun({ runId, seconds: PAUSE_SECONDS }, db)) return null;
    // If the refund fails, too, the lease ends and maintenance refunds it.
    return refundRun(failure(runId), db);
  }
}

/** Waits before a settlement that failed is tried again, in milliseconds. */
const SETTLED_AGAIN_AFTER = [500, 2_000];

/**
 * Settles a run whose result is there, although the database may be busy or away for a moment: a text that has been sent
 * can't be made again. The compare-and-set makes it safe to repeat.
 */
async function settleInTime(
  settlement: Settlement,
  db: DatabaseOrTransaction,
): Promise<Run | null> {
  for (const wait of SETTLED_AGAIN_AFTER) {
    try {
      return await settleRun(settlement, db);
    } catch (error) {
      log().warn({ err: error, runId: settlement.runId }, "a run could not be settled yet");
      await delay(wait);
    }
  }
  return settleRun(settlement, db);
}

/** Before a run that failed unexpectedly is tried again. */
const PAUSE_SECONDS = 10;

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
