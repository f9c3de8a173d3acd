import { type ChildProcess, spawn } from "node:child_process";
import { COMMANDS, programName } from "../../scripts/commands.mjs";

interface Finished {
  /** Null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs one of our commands as npm would, in a separate process, with only `env` as its environment:
 * from the build, where it is a command of production. To unset a variable that `.env` could supply,
 * pass "". `cwd` is another project's folder, whose source is run.
 */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Finished> {
  return startScript(script, args, env, cwd).finished;
}

/** Starts the same and returns the process while it runs. */
export function startScript(
  script: string,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
) {
  const command = cwd ? undefined : nameOf(script);
  const program = command
    ? [`build/commands/${programName(command)}.js`]
    : ["--import", "tsx", script];
  const child: ChildProcess = spawn(process.execPath, [...program, ...args], {
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

const nameOf = (script: string) =>
  Object.keys(COMMANDS).find((command) => COMMANDS[command] === script);
