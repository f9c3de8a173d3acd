import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Sample {
  /** Bytes of heap in use after a garbage collection. */
  heap: number;
  /** Bytes of resident memory. */
  rss: number;
}

/**
 * Grants everything due in a child process that measures its own memory. Returns the samples. Throws if
 * the process fails.
 */
export async function runGranting(databaseUrl: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  const child = fork(fileURLToPath(new URL("./granting-process.main.ts", import.meta.url)), {
    // In the environment, because other users can read the command line.
    env: { ...process.env, DATABASE_URL: databaseUrl },
    execArgv: ["--expose-gc", "--import", "tsx"],
  });
  child.on("message", (message) => samples.push(message as Sample));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the granting process exited with ${code}`);
  if (samples.length === 0) throw new Error("the granting process measured nothing");
  return samples;
}
