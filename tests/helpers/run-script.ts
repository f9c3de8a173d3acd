import { spawn } from "node:child_process";

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of our commands as npm would, in a process of its own, with `env` and nothing else of
 * ours. A variable that `.env` could supply is unset by giving it as "".
 */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<Finished> {
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const finished: Finished = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    finished.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    finished.stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...finished, code }));
  });
}
