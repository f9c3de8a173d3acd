import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, inject, onTestFinished, test } from "vitest";
import { drawPicture } from "../../scripts/sandbox/images/draw";
import { signUp } from "../helpers/client";
import { TEST_AUTH_SECRET } from "../helpers/test-server";
import { uploadFile } from "../helpers/upload";
import { withMailServer } from "../helpers/with-mail-server";
import { withStoreProxy } from "../helpers/with-store-proxy";

const files = withStoreProxy({ WORKER: "off" });
const mails = withMailServer({ WORKER: "off" });

/** Starts `npm run worker`, which takes jobs by the time this resolves. */
async function startWorker(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["build/commands/worker.js"], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      AUTH_SECRET: TEST_AUTH_SECRET,
      NEXT_PUBLIC_SITE_URL: "http://localhost:3000",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout?.on("data", (text) => (said += text));
  await expect.poll(() => said, { timeout: 60_000 }).toContain("taking jobs");
  return child;
}

test("a worker killed in the middle of a job: another one does it within a minute", async () => {
  const env = { DATABASE_URL: files.databaseUrl, ...inject("s3Env"), ...files.storeEnv };
  const release = files.store.hold(({ method, path }) => method === "PUT" && path.includes("-320"));
  const victim = await startWorker(env);
  const person = await signUp(files.url);
  const { fileId } = await uploadFile(person, { content: drawPicture("seed", 500, 400) });
  await expect.poll(files.store.held).toBe(1);
  const heir = await startWorker(env);
  // Its kind waits a minute before a retry; what is looked at here is how soon the job is found.
  await files.sql("UPDATE pgboss.job SET retry_delay = 0, retry_backoff = false");
  victim.kill("SIGKILL");
  const killedAt = performance.now();
  release();
  const widths = async () =>
    (await files.sql("SELECT thumbnail_widths AS widths FROM files WHERE id = $1", [fileId]))[0];
  await expect.poll(widths, { timeout: 60_000, interval: 500 }).toEqual({ widths: [320] });
  expect((performance.now() - killedAt) / 1_000).toBeLessThan(60);
  expect(await files.sql("SELECT state, retry_count FROM pgboss.job")).toEqual([
    { state: "completed", retry_count: 1 },
  ]);
  heir.kill("SIGTERM");
  await once(heir, "exit");
});

test("a server without a worker leaves its emails to one elsewhere, which ends within 5 seconds of SIGTERM", async () => {
  const { email } = await signUp(mails.url);
  const worker = await startWorker({
    DATABASE_URL: mails.databaseUrl,
    ...mails.mailEnv,
    NEXT_PUBLIC_SITE_URL: mails.url,
  });
  await mails.linkTo(email, 1);
  const askedAt = performance.now();
  worker.kill("SIGTERM");
  expect(await once(worker, "exit")).toEqual([0, null]);
  expect(performance.now() - askedAt).toBeLessThan(5_500);
});
