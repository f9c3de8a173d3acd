import { expect, onTestFinished, test } from "vitest";
import type { JobResult } from "./call-job";
import { JOBS, type Job } from "./jobs";
import { planInUtc, startScheduler } from "./scheduler";

const OK: JobResult = { status: "ok", attempts: 1, ms: 5, counts: { grants: 1 } };

/** A scheduler on the test's own clock: `due` makes a job due. */
function startWith(run: (job: Job, signal: AbortSignal) => Promise<JobResult>) {
  const lines: [level: string, facts: object, message: string][] = [];
  const logLine = (level: string) => (facts: object, message: string) =>
    void lines.push([level, facts, message]);
  const planned = new Map<string, () => void>();
  const scheduler = startScheduler({
    jobs: JOBS,
    run,
    logger: { info: logLine("info"), warn: logLine("warn"), error: logLine("error") } as never,
    plan: (job, onDue) => {
      planned.set(job.name, onDue);
      return { destroy: () => void planned.delete(job.name), match: () => false };
    },
  });
  return { lines, planned, due: (name: string) => planned.get(name)?.(), ...scheduler };
}

test("each run is one line, by how it went", async () => {
  const results: JobResult[] = [OK, { status: "failed", attempts: 4, ms: 9, reason: "status 500" }];
  const { due, lines, stop } = startWith(async () => results.shift() ?? OK);
  due("maintenance");
  due("subscription-credits");
  await stop({ graceMs: 1_000 });
  expect(lines).toEqual([
    ["info", { job: "maintenance", attempts: 1, ms: 5, counts: { grants: 1 } }, "job done"],
    [
      "error",
      { job: "subscription-credits", attempts: 4, ms: 9, reason: "status 500" },
      "job failed",
    ],
  ]);
});

test("a job never runs beside itself, and other jobs run beside it", async () => {
  const started: string[] = [];
  let finish = () => {};
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { due, lines, stop } = startWith(async (job) => {
    started.push(job.name);
    if (started.length === 1) await first;
    return OK;
  });
  due("maintenance");
  due("maintenance");
  due("subscription-credits");
  expect(started).toEqual(["maintenance", "subscription-credits"]);
  expect(lines).toEqual([
    ["warn", { job: "maintenance" }, "job skipped: its last run is still going on"],
  ]);
  finish();
  await expect.poll(() => lines.at(-1)?.[2]).toBe("job done");
  due("maintenance");
  expect(started).toHaveLength(3);
  await stop({ graceMs: 1_000 });
});

test("stopping begins nothing more, and gives up what does not end in time", async () => {
  const { planned, due, lines, stop } = startWith(
    (_job, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ status: "aborted", attempts: 2, ms: 7 })),
      ),
  );
  due("maintenance");
  await stop({ graceMs: 1 });
  expect(planned.size).toBe(0);
  expect(lines).toEqual([
    ["warn", { job: "maintenance", attempts: 2, ms: 7 }, "job aborted: stopping"],
  ]);
});

test("the daily job's time is 00:05 and maintenance's every fifth minute, in UTC anywhere", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/New_York";
  const tasks = JOBS.map((job) => planInUtc(job, () => {}, { info() {}, warn() {}, error() {} }));
  onTestFinished(() => {
    for (const task of tasks) void task.destroy();
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const [maintenance, daily] = tasks;
  const at = (time: string) => new Date(`2026-07-01T${time}Z`);
  expect(daily?.match(at("00:05:00"))).toBe(true);
  expect(daily?.match(at("04:05:00"))).toBe(false);
  expect(daily?.match(at("00:10:00"))).toBe(false);
  expect(maintenance?.match(at("00:10:00"))).toBe(true);
  expect(maintenance?.match(at("00:11:00"))).toBe(false);
});
