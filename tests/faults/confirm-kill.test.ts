import { expect, onTestFinished, test } from "vitest";
import { drawPicture } from "../../scripts/sandbox/images/draw";
import { createClient, signUp } from "../helpers/client";
import { startTestServer } from "../helpers/test-server";
import { putObject, requestUpload } from "../helpers/upload";
import { runMaintenance } from "../helpers/with-image-server";
import { withStoreProxy } from "../helpers/with-store-proxy";

// Does no background work, so that the victim gets the jobs.
const app = withStoreProxy({ WORKER: "off" });

const picture = drawPicture("seed", 500, 400);

/** A person with an uploaded picture, and another server on the same database that will be killed. */
async function beforeTheKill() {
  const person = await signUp(app.url);
  const upload = await requestUpload(person, { content: picture });
  await putObject(upload, picture);
  const victim = await startTestServer({
    ...{ DATABASE_URL: app.databaseUrl, ...app.storeEnv },
    WORKER: "on",
  });
  onTestFinished(() => void victim.process.kill("SIGKILL"));
  const there = createClient(victim.url);
  there.keep(person.cookie().split("; "));
  const kill = async () => {
    victim.process.kill("SIGKILL");
    await victim.stop();
  };
  return { person, there, kill, fileId: upload.fileId };
}

const confirmBody = (fileId: string) => ["POST", "/api/storage/confirm", { fileId }] as const;

test("a process killed while it confirms holds the file until its lease is over", async () => {
  const { person, there, kill, fileId } = await beforeTheKill();
  const release = app.store.hold(({ method }) => method === "HEAD");
  there.json(...confirmBody(fileId)).catch(() => undefined);
  await expect.poll(app.store.held).toBe(1);
  await kill();
  release();

  const early = await person.json(...confirmBody(fileId));
  expect([early.status, early.body.code]).toEqual([409, "confirm_in_progress"]);
  await app.sql("UPDATE files SET lease_until = now() WHERE id = $1", [fileId]);
  expect((await person.json(...confirmBody(fileId))).status).toBe(200);
});

test("a process killed while it makes thumbnails leaves them to maintenance, when their time has come", async () => {
  const { there, kill, fileId } = await beforeTheKill();
  const release = app.store.hold(({ method, path }) => method === "PUT" && path.includes("-320"));
  expect((await there.json(...confirmBody(fileId))).status).toBe(200);
  await expect.poll(app.store.held).toBe(1);
  await kill();
  release();

  const widths = async () =>
    (await app.sql("SELECT thumbnail_widths AS widths FROM files WHERE id = $1", [fileId]))[0];
  await runMaintenance(app.url);
  expect(await widths()).toEqual({ widths: [] });
  await app.sql("UPDATE files SET thumbnails_due_at = now() WHERE id = $1", [fileId]);
  const both = await Promise.all([runMaintenance(app.url), runMaintenance(app.url)]);
  expect(both.map(({ thumbnailsMade }) => thumbnailsMade).sort()).toEqual([0, 1]);
  expect(await widths()).toEqual({ widths: [320] });
});
