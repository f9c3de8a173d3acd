import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { addJob, addJobs } from "~/models/jobs/add-job.server";
import { takeUntoldFailures } from "~/models/jobs/untold-failures.server";
import { log } from "~/utils/logger.server";
import { createJobWorld } from "../../helpers/job-workers";
import { silenceLog } from "../../helpers/silence-log";

silenceLog();

const always = () => true;

test("a job whose transaction is undone was never there; of one that commits, its worker hears at once", async () => {
  const world = await createJobWorld();
  const done: string[] = [];
  world.startWorker({
    thumbnails: { canRun: always, run: async ({ fileId }) => void done.push(fileId) },
  });
  const [undone, kept] = [randomUUID(), randomUUID()];
  await expect(
    world.db.$transaction(async (transaction) => {
      await addJob("thumbnails", { fileId: undone }, transaction);
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  expect(await world.jobs("thumbnails")).toEqual([]);
  await world.db.$transaction((it) => addJob("thumbnails", { fileId: kept }, it));
  await expect.poll(() => done).toEqual([kept]);
  await expect.poll(() => world.jobs("thumbnails")).toMatchObject([{ state: "completed" }]);
});

test("two workers share the jobs, and do each once", async () => {
  const world = await createJobWorld();
  const done: string[][] = [[], []];
  const haveBoth = () => done.every((own) => own.length > 0);
  for (const own of done)
    world.startWorker({
      thumbnails: {
        canRun: always,
        run: async ({ fileId }) => {
          own.push(fileId);
          // So that none of the two gets them all before the other has started.
          await expect.poll(haveBoth).toBe(true);
        },
      },
    });
  const ids = Array.from({ length: 40 }, () => randomUUID());
  for (const fileId of ids)
    await world.db.$transaction((it) => addJob("thumbnails", { fileId }, it));
  await expect.poll(() => done.flat().length, { timeout: 60_000 }).toBe(ids.length);
  expect(done.flat().sort()).toEqual(ids.sort());
});

test("jobs that were added together are done without a pause in between", async () => {
  const world = await createJobWorld();
  const done: string[] = [];
  const jobs = Array.from({ length: 200 }, () => ({ data: { fileId: randomUUID() } }));
  await world.db.$transaction((it) => addJobs("thumbnails", jobs, it));
  world.startWorker({
    thumbnails: { canRun: always, run: async ({ fileId }) => void done.push(fileId) },
  });
  // With a poll between two jobs, this would take minutes.
  await expect.poll(() => done.length).toBe(200);
});

test("a process leaves jobs that its configuration can't do to others", async () => {
  const world = await createJobWorld();
  const done: string[] = [];
  const canRun = ({ storage }: { storage: { enabled: boolean } }) => storage.enabled;
  const handler = (own: string) => ({
    thumbnails: { canRun, run: async () => void done.push(own) },
  });
  world.startWorker(handler("without storage"));
  const job = { data: { fileId: randomUUID() } };
  await world.db.$transaction((it) => addJobs("thumbnails", [job, job], it));
  world.startWorker(handler("with storage"), {
    S3_ENDPOINT: "http://localhost:1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
    S3_BUCKET_NAME: "bucket",
  });
  await expect.poll(() => done).toEqual(["with storage", "with storage"]);
});

test("jobs of one id are one job, and a job waits until its time", async () => {
  const world = await createJobWorld();
  const data = { fileId: randomUUID() };
  const id = randomUUID();
  const add = (startAfter: number) =>
    world.db.$transaction((it) => addJobs("thumbnails", [{ data, id, startAfter }], it));
  expect(await add(3600)).toBe(1);
  expect(await add(0)).toBe(0);
  const [{ wait } = {}] = await world.sql<{ wait: number }>(
    "SELECT extract(epoch FROM start_after - created_on)::int AS wait FROM pgboss.job",
  );
  expect(wait).toBe(3600);
});

test("what isn't an id is refused before it is kept", async () => {
  const world = await createJobWorld();
  await expect(
    world.db.$transaction((it) => addJob("thumbnails", { fileId: "a name" }, it)),
  ).rejects.toThrow();
});

test("a transactional job ends with its writes: both happen, or neither", async () => {
  const world = await createJobWorld();
  await world.sql("CREATE TABLE written (attempt integer)");
  world.startWorker({
    thumbnails: {
      canRun: always,
      async runInTransaction(_data, transaction, { attempt }) {
        await transaction.$executeRaw`INSERT INTO written VALUES (${attempt})`;
        if (attempt === 1) throw new Error("person@example.com was not written");
      },
    },
  });
  await world.db.$transaction(async (it) => {
    await addJob("thumbnails", { fileId: randomUUID() }, it);
    await it.$executeRaw`UPDATE pgboss.job SET retry_limit = 1, retry_delay = 0`;
  });
  await expect
    .poll(() => world.jobs("thumbnails"))
    .toMatchObject([
      // The failure is kept without what it was about.
      { state: "completed", attempts: 2 },
    ]);
  expect(await world.sql("SELECT * FROM written")).toEqual([{ attempt: 2 }]);
});

test("a transactional job that was cancelled meanwhile writes nothing", async () => {
  const world = await createJobWorld();
  await world.sql("CREATE TABLE written (attempt integer)");
  let release = () => {};
  const cancelled = new Promise<void>((resolve) => (release = resolve));
  let begun = false;
  world.startWorker({
    thumbnails: {
      canRun: always,
      async runInTransaction(_data, transaction) {
        await transaction.$executeRaw`INSERT INTO written VALUES (1)`;
        begun = true;
        await cancelled;
      },
    },
  });
  await world.db.$transaction((it) => addJob("thumbnails", { fileId: randomUUID() }, it));
  await expect.poll(() => begun).toBe(true);
  await world.sql("UPDATE pgboss.job SET state = 'cancelled'");
  release();
  await expect.poll(() => world.jobs("thumbnails")).toMatchObject([{ state: "cancelled" }]);
  expect(await world.sql("SELECT * FROM written")).toEqual([]);
});

test("a failed job keeps why, without the data that its error names", async () => {
  const world = await createJobWorld();
  world.startWorker({
    thumbnails: {
      canRun: always,
      run: async () => Promise.reject(new Error("no picture of person@example.com")),
    },
  });
  await world.db.$transaction(async (it) => {
    await addJob("thumbnails", { fileId: randomUUID() }, it);
    await it.$executeRaw`UPDATE pgboss.job SET retry_limit = 0`;
  });
  await expect.poll(() => world.jobs("thumbnails")).toMatchObject([{ state: "failed" }]);
  const [{ output } = {}] = await world.jobs("thumbnails");
  expect(output?.message).toBe("no picture of [address]");
  // Its process has logged it.
  expect(await takeUntoldFailures(world.db)).toEqual([]);
  expect(JSON.stringify(output)).not.toContain("person@");
});

test("a job whose process died at its last attempt is told to operators, once", async () => {
  const world = await createJobWorld();
  const said = vi.spyOn(log(), "error");
  await world.db.$transaction(async (it) => {
    await addJob("thumbnails", { fileId: randomUUID() }, it);
    await it.$executeRaw`
      UPDATE pgboss.job SET state = 'active', started_on = now() - interval '1 minute',
        heartbeat_on = now() - interval '1 minute', retry_count = retry_limit`;
  });
  const worker = world.startWorker({ thumbnails: { canRun: always, run: async () => {} } });
  const [job] = await world.jobs("thumbnails");
  await expect
    .poll(() => said.mock.calls)
    .toEqual([
      [
        {
          job: "thumbnails",
          jobId: job?.id,
          attempt: job?.attempts,
          reason: "job heartbeat timeout",
        },
        expect.stringContaining("last attempt"),
      ],
    ]);
  worker.beginStopping();
  await worker.end(1_000);
  await world.sql("UPDATE pgboss.job SET output = output - 'told'");
  const looks = Array.from({ length: 4 }, () => takeUntoldFailures(world.db));
  expect((await Promise.all(looks)).flat()).toHaveLength(1);
});

test("a worker that is to stop tells its job, and takes none that come after", async () => {
  const world = await createJobWorld();
  const ended: string[] = [];
  const worker = world.startWorker({
    thumbnails: {
      canRun: always,
      run: ({ fileId }, { signal }) =>
        new Promise<void>((resolve) => {
          ended.push(`begun ${fileId}`);
          signal.addEventListener("abort", () => {
            ended.push(`told ${fileId}`);
            resolve();
          });
        }),
    },
  });
  const [first, second] = [randomUUID(), randomUUID()];
  const add = (fileId: string) =>
    world.db.$transaction((it) => addJob("thumbnails", { fileId }, it));
  await add(first);
  await expect.poll(() => ended).toEqual([`begun ${first}`]);
  worker.beginStopping();
  await add(second);
  await worker.end(30_000);
  expect(ended).toEqual([`begun ${first}`, `told ${first}`]);
  expect(await world.jobs("thumbnails")).toMatchObject([
    { state: "completed" },
    { state: "created" },
  ]);
});

test("a job that doesn't end in time is given back, and done elsewhere at once", async () => {
  const world = await createJobWorld();
  // One that was fetched and hasn't begun is put back as if nobody had had it.
  let hasBegun = false;
  const run = () => {
    hasBegun = true;
    return new Promise<void>(() => {});
  };
  const stuck = world.startWorker({ thumbnails: { canRun: always, run } });
  await world.db.$transaction(async (it) => {
    await addJob("thumbnails", { fileId: randomUUID() }, it);
    await it.$executeRaw`UPDATE pgboss.job SET retry_limit = 1, retry_delay = 0`;
  });
  await expect.poll(() => hasBegun).toBe(true);
  stuck.beginStopping();
  await stuck.end(1_000);
  expect(await world.jobs("thumbnails")).toMatchObject([{ state: "retry" }]);
  world.startWorker({ thumbnails: { canRun: always, run: async () => {} } });
  await expect
    .poll(() => world.jobs("thumbnails"))
    .toMatchObject([{ state: "completed", attempts: 2 }]);
});
