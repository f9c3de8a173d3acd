import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Sample {
  /** Bytes of the heap that are in use after a collection. */
  heap: number;
  /** Bytes of memory that the process holds. */
  rss: number;
}

/**
 * Grants all that is due in a process of its own, which measures itself along the way, and answers
 * what it measured. Throws if it fails.
 */
export async function runGranting(databaseUrl: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  const child = fork(fileURLToPath(new URL("./granting-process.main.ts", import.meta.url)), {
    // By its environment, as the command line is for everybody to read.
    env: { ...process.env, DATABASE_URL: databaseUrl },
    execArgv: ["--expose-gc", "--import", "tsx"],
  });
  child.on("message", (message) => samples.push(message as Sample));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the process that grants ended with ${code}`);
  if (samples.length === 0) throw new Error("the process that grants measured nothing");
  return samples;
}
