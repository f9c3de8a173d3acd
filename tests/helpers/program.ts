import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import net from "node:net";
import { onTestFinished } from "vitest";

/** Whether a program of the system can be run here. Tests that need one are skipped where it is not. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ["--version"], { env: withSystemFolders() }).error === undefined;
}

/** Debian keeps servers in folders that are not in an ordinary user's path. */
export function withSystemFolders(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
}

/** Runs a server of the system until the test ends. Resolves once it listens on the port. */
export async function runProgram(command: string, args: string[], port: number): Promise<void> {
  const child: ChildProcess = spawn(command, args, {
    env: withSystemFolders(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (said += text));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
