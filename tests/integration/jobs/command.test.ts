import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { addJob } from "~/models/jobs/add-job.server";
import { JOB_KINDS } from "~/models/jobs/job-kinds";
import { retryJobs } from "~/models/jobs/listing.server";
import { createJobWorld } from "../../helpers/job-workers";
import { runScript } from "../../helpers/run-script";
import { silenceLog } from "../../helpers/silence-log";

silenceLog();

async function withFailedJob() {
  const world = await createJobWorld();
  const fileId = randomUUID();
  const failing = world.startWorker({
    thumbnails: { canRun: () => true, run: () => Promise.reject(new Error("the store is away")) },
  });
  await world.db.$transaction(async (it) => {
    await addJob("thumbnails", { fileId }, it);
    await it.$executeRaw`UPDATE pgboss.job SET retry_limit = 0`;
  });
  await expect.poll(() => world.jobs("thumbnails")).toMatchObject([{ state: "failed" }]);
  failing.beginStopping();
  await failing.end(1_000);
  const [{ id = "" } = {}] = await world.jobs("thumbnails");
  const run = (...args: string[]) =>
    runScript("scripts/jobs/jobs.command.ts", args, { DATABASE_URL: world.databaseUrl });
  return { world, run, id, fileId };
}

test("a failed job is listed, shown with its reason, and done again", async () => {
  const { world, run, id, fileId } = await withFailedJob();
  const listed = await run("list", "--state", "failed", "--kind", "thumbnails", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject({
    jobs: [{ id, state: "failed", attempts: 1, error: "the store is away", startsAt: null }],
  });
  const shown = await run("show", id);
  expect(shown.stdout).toContain(fileId);
  expect(shown.stdout).toMatch(/error +the store is away/);

  const again = await run("retry", id);
  expect([again.code, again.stdout]).toEqual([0, "jobs to be done now: 1\n"]);
  expect(again.stderr).toContain(`"jobId":"${id}"`);
  const done: string[] = [];
  world.startWorker({
    thumbnails: { canRun: () => true, run: async (data) => void done.push(data.fileId) },
  });
  await expect.poll(() => done).toEqual([fileId]);
  await expect
    .poll(() => world.jobs("thumbnails"))
    .toMatchObject([{ state: "completed", attempts: 2 }]);
  const late = await run("retry", id);
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining("is done")]);
});

test("wrong arguments are refused, and name what is right", async () => {
  const { run } = await withFailedJob();
  expect((await run("list", "--kind", "nothing")).stderr).toContain(
    Object.keys(JOB_KINDS).join(", "),
  );
  expect((await run("show", "x")).code).toBe(2);
  expect((await run("retry")).code).toBe(2);
});

test("jobs of a kind that isn't repeated are left as they are", async () => {
  const { world, id } = await withFailedJob();
  await world.sql("SELECT pgboss.create_queue('paid-calls', $1)", ['{"policy": "standard"}']);
  await world.sql("UPDATE pgboss.job SET name = 'paid-calls'");
  expect(await retryJobs({ id }, world.db)).toBe(0);
  expect(await retryJobs({ id: null }, world.db)).toBe(0);
  expect(await world.jobs("paid-calls")).toMatchObject([{ id, state: "failed" }]);
});
