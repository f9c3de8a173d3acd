import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Milliseconds to wait for a response. */
const TIMEOUT_MS = 10_000;

/**
 * Requests one address again and again from a separate process, so that work in the tests' process
 * doesn't count. Between two requests it measures how much slower than alone this machine runs a
 * program now, since many tests share it.
 */
const PROBE = `
import http from "node:http";
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let slowest, asked, wall, cpu, stopping;

const ask = () => new Promise((resolve) => {
  const request = http.get(process.argv[1], { agent, timeout: ${TIMEOUT_MS} }, (response) =>
    response.resume().once("end", () => resolve(response.statusCode === 200)));
  request.once("timeout", () => request.destroy()).once("error", () => resolve(false));
});

const milliseconds = ({ user, system }) => (user + system) / 1_000;

function spin() {
  const [began, used] = [performance.now(), process.cpuUsage()];
  while (milliseconds(process.cpuUsage(used)) < 2);
  wall += performance.now() - began;
  cpu += milliseconds(process.cpuUsage(used));
}

async function measure() {
  [slowest, asked, wall, cpu, stopping] = [0, 0, 0, 0, false];
  while (!stopping || asked < 10) {
    const began = performance.now();
    const ok = await ask();
    slowest = Math.max(slowest, ok ? performance.now() - began : ${TIMEOUT_MS});
    asked++;
    spin();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.send({ slowest, slowness: wall / cpu });
}

process.on("message", (message) => {
  if (message === "start") measure();
  else stopping = true;
});
`;

interface Measurement {
  /**
   * Milliseconds of the slowest response; a failed request counts as one that never got a response.
   */
  slowest: number;
  /** How many times slower than alone a program ran meanwhile; 1 on a quiet machine. */
  slowness: number;
}

export interface Probe {
  /** Measures the address from just before `work` to just after it. */
  measureDuring(work: () => Promise<unknown>): Promise<Measurement>;
  stop(): void;
}

export function startProbe(url: string): Probe {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--input-type=module", "--eval", PROBE, url],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  );
  return {
    async measureDuring(work) {
      const measured = once(child, "message") as Promise<[Measurement]>;
      child.send("start");
      try {
        await work();
      } finally {
        child.send("stop");
      }
      const [measurement] = await measured;
      return measurement;
    },
    stop: () => child.kill(),
  };
}
