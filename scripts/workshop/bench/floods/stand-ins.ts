import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseEnv } from "node:util";
import { freePort } from "../../../lib/free-port";
import { startTurnstileSandbox } from "../../../sandbox/turnstile/turnstile-sandbox";

interface StandIns {
  /** Variables of a server that uses them. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

interface BotChallenge extends StandIns {
  /** The form fields of somebody who passed the challenge of a sign-up. */
  passed(): Promise<Record<string, string>>;
}

/** Starts the stand-in for the bot challenge, which asks nothing of the server while no token comes. */
export async function startBotChallenge(): Promise<BotChallenge> {
  const { env, controlUrl, stop } = await startTurnstileSandbox({ port: 0 });
  return {
    env,
    stop,
    async passed() {
      const response = await fetch(`${controlUrl}/tokens`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ action: "sign_up", hostname: "localhost" }),
      });
      const { token } = (await response.json()) as { token: string };
      return { "cf-turnstile-response": token };
    },
  };
}

/**
 * Starts the stand-ins for the store and the payment providers in a process of their own, so that
 * their work delays no measurement. Payment events go to `siteUrl`.
 */
export async function startStandIns(siteUrl: string): Promise<StandIns> {
  const home = await mkdtemp(path.join(os.tmpdir(), "credits-floods-"));
  const folder = path.join(home, "sandbox");
  const port = await freePort(0, "127.0.0.1");
  const child = spawn(
    process.execPath,
    [
      ...["--import", "tsx", "scripts/sandbox/sandbox.command.ts"],
      ...["--port", String(port), "--folder", folder],
      ...["--webhook", `${siteUrl}/api/payments/webhook`],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith("ready")) break;
  if (child.exitCode !== null) throw new Error("the stand-ins did not start");
  const env = parseEnv(await readFile(`${folder}.env`, "utf8")) as Record<string, string>;
  return {
    env,
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(home, { recursive: true, force: true });
    },
  };
}
