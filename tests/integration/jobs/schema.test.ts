import { randomUUID } from "node:crypto";
import { fromPrisma, PgBoss } from "pg-boss";
import { expect, onTestFinished, test, vi } from "vitest";
import { addJobs } from "~/models/jobs/add-job.server";
import { HEARTBEAT_SECONDS, JOB_KINDS, JOB_NAMES } from "~/models/jobs/job-kinds";
import { log } from "~/utils/logger.server";
import { createJobWorld } from "../../helpers/job-workers";
import { silenceLog } from "../../helpers/silence-log";

silenceLog();

/** The library itself, as it connects by default, but for its own migrations. */
async function startLibrary(connectionString: string): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString, migrate: false, supervise: false, schedule: false });
  onTestFinished(() => boss.stop({ graceful: false }));
  return boss.start();
}

test("the migrations make what the library expects", async () => {
  const { databaseUrl } = await createJobWorld();
  const report = await (await startLibrary(databaseUrl)).detectSchemaDrift();
  expect(report).toMatchObject({ ok: true, extraIndexes: [] });
});

test("each kind of job has a queue, which wakes its workers, and no queue is left over", async () => {
  const world = await createJobWorld();
  const queues = await world.sql<{ name: string }>(
    "SELECT name, notify, policy, partition FROM pgboss.queue ORDER BY name",
  );
  const expected = JOB_NAMES.map((name) => ({
    ...{ name, notify: true, policy: "standard", partition: false },
  }));
  expect(queues).toEqual(expected.sort((a, b) => (a.name < b.name ? -1 : 1)));
});

test("a job is written as the library would write it", async () => {
  const world = await createJobWorld();
  const boss = await startLibrary(world.databaseUrl);
  for (const name of JOB_NAMES) {
    const { shape } = JOB_KINDS[name].data;
    const data = Object.fromEntries(Object.keys(shape).map((key) => [key, randomUUID()]));
    const { retries, retryAfter, longestWait, longest } = JOB_KINDS[name];
    const ids = [randomUUID(), randomUUID()];
    await world.db.$transaction(async (transaction) => {
      // Only the row is compared; whether data are a kind's own is another matter.
      await addJobs(name, [{ data: data as never, id: ids[0], startAfter: 60 }], transaction);
      await boss.send(name, data, {
        ...(retryAfter > 0 ? { retryBackoff: true, retryDelayMax: longestWait } : {}),
        id: ids[1],
        startAfter: 60,
        retryLimit: retries,
        retryDelay: retryAfter,
        expireInSeconds: longest,
        deleteAfterSeconds: 3 * 24 * 60 * 60,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        db: fromPrisma(transaction),
      });
    });
    const rows = await world.sql<{ id: string; retry_delay_max: number | null }>(
      "SELECT * FROM pgboss.job WHERE name = $1",
      [name],
    );
    const [own, other] = ids.map((id) => rows.find((row) => row.id === id));
    expect({ ...own, id: null }).toEqual({ ...other, id: null });
  }
});

test("a worker whose tables are of another version says so, and begins once they fit", async () => {
  const world = await createJobWorld();
  await world.sql("UPDATE pgboss.version SET version = version - 1");
  const error = vi.spyOn(log(), "error");
  onTestFinished(() => error.mockRestore());
  const done: string[] = [];
  world.startWorker({
    thumbnails: { canRun: () => true, run: async ({ fileId }) => void done.push(fileId) },
  });
  await expect
    .poll(() => error.mock.calls)
    .toMatchObject([
      [{ reason: expect.stringMatching(/not this version's: run `npm run db:migrate`/) }, /off/],
    ]);
  const fileId = randomUUID();
  await world.db.$transaction((it) => addJobs("thumbnails", [{ data: { fileId } }], it));
  await world.sql("UPDATE pgboss.version SET version = version + 1");
  await expect.poll(() => done).toEqual([fileId]);
});
