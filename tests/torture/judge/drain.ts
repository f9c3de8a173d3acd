import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "../act/answers";
import { must } from "../act/fault";
import type { KnownRun, Person } from "../act/person";
import { takeAnswer } from "../act/run-answers";
import { requestOf } from "../act/runs";
import { maintain, repeatAdjustment } from "../act/settings";
import { ask, type Stage } from "../act/stage";

const MINUTE = 60_000;
const PATIENCE_MS = 60_000;

/** Tasks that look at what never runs out. */
const ENDLESS = ["ledgerFaultsFound"];

/** Lists waiting work, in words; empty if there is none. A provider that still works may yet be believed. */
async function listWaiting(stage: Stage): Promise<string[]> {
  const { database, standIns } = stage.world;
  const { images, texts } = standIns.roads;
  const calls = [...images.underWay(), ...texts.underWay()];
  const rows = await database.sql<{ what: string; waiting: string }>(
    `SELECT 'runs' AS what, count(*) AS waiting FROM metered_runs WHERE status = 'reserved'
     UNION ALL
     SELECT 'deliveries: ' || status::text, count(*) FROM webhook_inbox
     WHERE status <> 'processed' GROUP BY 1
     UNION ALL
     SELECT format('jobs: %s %s', name, state), count(*) FROM pgboss.job
     WHERE (state IN ('created', 'retry', 'active') AND start_after <= now()) OR state = 'failed'
     GROUP BY 1
     UNION ALL
     SELECT 'top-ups of unknown outcome', count(*) FROM top_ups
     WHERE status IN ('claimed', 'asked', 'unknown') AND provider_payment_id IS NULL`,
    [],
  );
  const called = { what: `calls of providers: ${calls.join("; ")}`, waiting: String(calls.length) };
  return [...rows, called]
    .filter(({ waiting }) => Number(waiting) > 0)
    .map(({ what, waiting }) => `${waiting} ${what}`);
}

/** A job may have used up its attempts while something was broken. Then an operator has it tried again, once. */
async function retryFailed({ world, hadStorm, count }: Stage): Promise<void> {
  if (!hadStorm()) return;
  const [row] = await world.database.sql<{ count: number }>(
    "SELECT count(*)::int AS count FROM pgboss.job WHERE state = 'failed'",
    [],
  );
  if (!row || row.count === 0) return;
  const { code, output } = await world.command("jobs", "retry", "--all-failed");
  must(code === 0, `jobs retry ended with ${code}: ${output}`);
  count("operator: job that failed in a storm");
}

async function maintainAll(stage: Stage): Promise<void> {
  let busy: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    const counts: Record<string, unknown> = JSON.parse(
      await maintain(stage, { do: "maintain", job: "maintenance", at: round % 2 === 0 ? 0 : 1 }),
    );
    busy = Object.entries(counts)
      .filter(([task, done]) => done !== 0 && !ENDLESS.includes(task))
      .map(([task, done]) => `${task} ${done}`);
    if (busy.length === 0) return;
  }
  must(false, `maintenance did not run out of work in fifty rounds: ${busy.join(", ")}`);
}

/** Waits a little for the runs that go on: a process that lives would lose them when the time is moved past their leases. */
async function untilRunsEnd({ world }: Stage): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 5_000; await pause(200)) {
    const [row] = await world.database.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM metered_runs WHERE status = 'reserved'",
      [],
    );
    if (row?.count === 0) return;
  }
}

/**
 * Waits until the service has nothing left to do. Leases of processes that died end when the time is moved on, as they
 * would by themselves. @throws Fault if something is stuck
 */
export async function drain(stage: Stage): Promise<void> {
  await untilRunsEnd(stage);
  await stage.world.passTime(3 * MINUTE);
  // After a month it has much to do, which takes a loaded machine long.
  await maintainAll(stage);
  await retryFailed(stage);
  for (const began = performance.now(); ; await maintainAll(stage)) {
    const waiting = await listWaiting(stage);
    if (waiting.length === 0) return;
    must(performance.now() - began < PATIENCE_MS, `stuck after a minute: ${waiting.join(", ")}`);
    await pause(200);
    // A retry's pause, or the lease of whoever took it over.
    if (performance.now() - began > 5_000) await stage.world.passTime(MINUTE);
  }
}

/** Asks again for everything whose outcome is unknown: under the same key it is told, or done now. */
export async function resolve(stage: Stage, person: Person): Promise<void> {
  for (const run of person.runs)
    if (run.outcome === "unknown" || run.outcome === "open") await resolveRun(stage, person, run);
  for (const at of person.adjustments.keys()) await repeatAdjustment(stage, person, at);
}

async function resolveRun(stage: Stage, person: Person, run: KnownRun): Promise<void> {
  const began = performance.now();
  for (;;) {
    const reply = await ask(stage, { ...requestOf(person, run, "whole"), at: 0 });
    takeAnswer(stage, person, run, reply);
    if (codeOf(reply) !== "idempotency_in_progress") return judgeEnd(stage, run);
    must(
      performance.now() - began < PATIENCE_MS,
      `${run.idempotencyKey} is in progress for a minute`,
    );
    await pause(200);
  }
}

/** By the pause each run has an end, and one that nothing disturbs doesn't fail. */
function judgeEnd(stage: Stage, { idempotencyKey, outcome, mayFail }: KnownRun): void {
  must(outcome !== "unknown" && outcome !== "open", `${idempotencyKey} has no end: ${outcome}`);
  must(
    outcome !== "failed" || mayFail || stage.hadStorm(),
    `${idempotencyKey} failed, while nothing was broken`,
  );
}
