import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { PACK } from "../fixtures/sold";
import { signUp } from "../helpers/client";
import { press } from "../helpers/payments";
import { startScript } from "../helpers/run-script";
import { createTestDatabase } from "../helpers/test-database";
import { startTestServer } from "../helpers/test-server";

const SCRIPT = "scripts/sandbox/sandbox.command.ts";

/** Starts the command and returns the variables it wrote, once it is ready. */
async function startSandbox(folder: string, args: string[]) {
  const running = startScript(SCRIPT, ["--folder", folder, ...args], {});
  const stop = async () => {
    running.process.kill("SIGTERM");
    return (await running.finished).code;
  };
  onTestFinished(async () => void (await stop()));
  let said = "";
  running.process.stdout?.on("data", (text) => {
    said += text;
  });
  await expect.poll(() => said).toContain("ready");
  return { env: parseEnv(await readFile(`${folder}.env`, "utf8")), stop };
}

test("a server of one's own sells and makes images with the sandbox alone, whose keys stay", async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), "sandbox-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = path.join(parent, "sandbox");
  const [port, appPort] = [await freePort(), await freePort()];
  const webhook = `http://localhost:${appPort}/api/payments/webhook`;
  const args = ["--port", `${port}`, "--webhook", webhook];

  const first = await startSandbox(folder, args);
  const taken = await startScript(SCRIPT, ["--folder", folder, ...args], {}).finished;
  expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining("is taken") });
  expect(await first.stop()).toBe(0);
  const { env } = await startSandbox(folder, args);
  expect(env).toEqual(first.env);

  const site = {
    ...(env as Record<string, string>),
    DATABASE_URL: await createTestDatabase(),
    PORT: `${appPort}`,
    NEXT_PUBLIC_SITE_URL: `http://localhost:${appPort}`,
    CRON_SECRET: "7f3a9c1e5b2d8f604a6c0e9b1d7f3a52",
  };
  const app = await startTestServer(site);
  onTestFinished(app.stop);
  const url = `http://localhost:${appPort}`;
  const person = await signUp(url);
  const checkout = await person.json("POST", "/api/payments/checkout", { skuKey: PACK.skuKey });
  await press((checkout.body as { url: string }).url, { intent: "pay" });
  const credits = async () => (await person.json("GET", "/api/account/credits")).body;
  await expect.poll(credits).toMatchObject({ balance: PACK.credits });
  const made = await person.json("POST", "/api/generate-image", { prompt: "a cat", n: 1 });
  expect(made).toMatchObject({ status: 200, body: { images: [{ persisted: true }] } });

  const preflight = (...more: string[]) =>
    startScript(
      "scripts/preflight/preflight.command.ts",
      ["--online", "--skip", "code.types", ...more],
      { ...site, AUTH_SECRET: "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uEa5QoKxWiV0tSz" },
    ).finished;
  expect(await preflight("--rehearsal")).toMatchObject({ code: 0 });
  expect(await preflight()).toMatchObject({ code: 1 });
});
