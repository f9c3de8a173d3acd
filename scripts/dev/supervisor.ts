import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PartFacts } from "./part";

const STOP_MS = 8_000;

interface Part {
  name: string;
  child: ChildProcess;
  ended: Promise<void>;
}

interface StartPart {
  name: string;
  /** File name in this folder, without its extension. */
  module: string;
  env?: Record<string, string | undefined>;
  args?: string[];
  /** Receives its standard output; silent by default. */
  output?: NodeJS.WritableStream;
}

/**
 * Starts parts as child processes and stops them together, last started first. Each runs in its own
 * process group, so that Ctrl-C reaches only the supervisor and parts stop in order.
 */
export function createSupervisor(options: { onCrash: (line: string) => void }) {
  const parts: Part[] = [];
  let stopping = false;

  /** Resolves with the part's facts once it serves; rejects with its last output if it fails to start. */
  function start({ name, module, env, args, output }: StartPart): Promise<PartFacts> {
    if (stopping) return Promise.reject(new Error(`${name} was not started: stopping`));
    const child = fork(fileURLToPath(new URL(`./${module}.ts`, import.meta.url)), args, {
      execArgv: ["--import", "tsx"],
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    if (output) child.stdout?.pipe(output, { end: false });
    else child.stdout?.resume();
    let lastLine = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      const text = chunk.toString().trim();
      lastLine = text.split("\n").at(-1) || lastLine;
      if (output) process.stderr.write(`${text}\n`);
    });
    return new Promise((resolve, reject) => {
      child.once("message", (facts) => resolve(facts as PartFacts));
      const ended = new Promise<void>((done) => {
        child.once("exit", (code, signal) => {
          done();
          const line = `${name} ended (${signal ?? `exit code ${code}`})${lastLine ? `: ${lastLine}` : ""}`;
          reject(new Error(line));
          if (!stopping) options.onCrash(line);
        });
      });
      parts.push({ name, child, ended });
    });
  }

  async function stopAll(): Promise<void> {
    stopping = true;
    for (const { child, ended } of parts.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
      await ended;
      clearTimeout(kill);
    }
  }

  return { start, stopAll };
}
