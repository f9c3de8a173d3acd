import { type ChildProcess, spawn } from "node:child_process";

interface Finished {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of our commands as npm would, in a process of its own, with `env` and nothing else of
 * ours. A variable that `.env` could supply is unset by giving it as "". `cwd` is another project's
 * folder.
 */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Finished> {
  return startScript(script, args, env, cwd).finished;
}

/** The same, with the process at hand while it runs. */
export function startScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
) {
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    cwd,
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...output, code }));
  });
  return { process: child, finished };
}
