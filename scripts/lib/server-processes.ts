import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { getEnv } from "~/env.server";
import { log, setLogLevel } from "~/utils/logger.server";
import { gatherReports } from "./gather-reports";

/** A process that ends is replaced after this long, twice as long after each further one, up to the maximum. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A process that served this long was sound, and the next backoff is the first one again. */
const SOUND_AFTER_MS = 60_000;
/** Longer than a process takes to stop after its delay. What is left then is killed. */
const STOP_MS = 5_300;

/**
 * Runs `count` server processes that share one port, and this one as their parent, which serves nothing.
 * Resolves once all of them listen. A process that ends is replaced. SIGTERM and SIGINT stop them all,
 * and then this process. If the first process can't start, this one ends with its exit code: the process
 * has said why.
 */
export async function runServerProcesses(count: number): Promise<void> {
  const env = getEnv();
  setLogLevel(env.logLevel);
  for (const warning of env.warnings) log().warn(warning);

  cluster.setupPrimary({ exec: "build/commands/start.js" });
  const delayMs = env.shutdownDelay * 1_000;
  gatherReports();
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      // Each process ignores what it was told before, and SIGINT ends its delay.
      for (const worker of listWorkers()) worker.process.kill(signal);
      if (isStopping) return;
      isStopping = true;
      log().info({ signal, delayMs }, "stopping");
      void endWithAll(delayMs + STOP_MS);
    });
  }
  // The first alone, so that a faulty configuration or a taken port is reported once.
  const port = await startFirst();
  let backoff = FIRST_BACKOFF_MS;
  const startedAt = new Map<number, number>();
  const startAnother = () => {
    const worker = cluster.fork();
    startedAt.set(worker.id, performance.now());
    return worker;
  };
  cluster.on("exit", (worker, code, signal) => {
    if (isStopping) return;
    const served = performance.now() - (startedAt.get(worker.id) ?? 0);
    startedAt.delete(worker.id);
    if (served > SOUND_AFTER_MS) backoff = FIRST_BACKOFF_MS;
    log().error(
      { pid: worker.process.pid, code, signal, restartInMs: backoff },
      "a server process ended and will be replaced",
    );
    setTimeout(() => !isStopping && startAnother(), backoff);
    backoff = Math.min(backoff * 2, MAX_BACKOFF_MS);
  });
  const others = Array.from({ length: count - 1 }, startAnother);
  await Promise.all(others.map((worker) => once(worker, "listening")));
  log().info({ port, processes: count }, "listening");
}

/** Starts the first process and returns its port. */
async function startFirst(): Promise<number> {
  const worker = cluster.fork();
  return new Promise((resolve) => {
    const onExit = (code: number | null) => process.exit(code ?? 1);
    worker.once("exit", onExit);
    worker.once("listening", ({ port }) => {
      worker.off("exit", onExit);
      resolve(port);
    });
  });
}

/** Ends this process once all others have ended. What is left after `withinMs` is killed. */
async function endWithAll(withinMs: number): Promise<void> {
  const workers = listWorkers();
  const kill = setTimeout(() => {
    log().warn("server processes did not stop in time and are killed");
    for (const worker of workers) worker.process.kill("SIGKILL");
  }, withinMs);
  await Promise.all(workers.map((worker) => worker.isDead() || once(worker, "exit")));
  clearTimeout(kill);
  process.exit(0);
}

function listWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
