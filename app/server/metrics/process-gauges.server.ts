import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";
import { poolCounts } from "~/db.server";
import { getEnv } from "~/env.server";
import { countBackgroundTasks } from "~/server/background/background.server";

const NANOSECONDS = 1e9;

interface ProcessGauge {
  help: string;
  /** How the numbers of several processes become one. */
  aggregator: "sum" | "max";
  read(): number;
}

/** States of a process, read when it is asked for its metrics. */
export const PROCESS_GAUGES: Record<string, ProcessGauge> = {
  rcs_processes: {
    help: "Processes whose numbers these are.",
    aggregator: "sum",
    read: () => 1,
  },
  rcs_database_pool_limit: {
    help: "The largest number of database connections that the processes open.",
    aggregator: "sum",
    read: () => getEnv().databasePoolSize,
  },
  rcs_database_pool_open: {
    help: "Open database connections.",
    aggregator: "sum",
    read: () => poolCounts().open,
  },
  rcs_database_pool_idle: {
    help: "Open database connections that nothing uses now.",
    aggregator: "sum",
    read: () => poolCounts().idle,
  },
  rcs_database_pool_waiting: {
    help: "Statements that wait for a database connection.",
    aggregator: "sum",
    read: () => poolCounts().waiting,
  },
  rcs_background_tasks: {
    help: "Tasks that go on after their response.",
    aggregator: "sum",
    read: countBackgroundTasks,
  },
  rcs_event_loop_delay_p99_seconds: {
    help: "How late the event loop was since the last scrape, 99th percentile; the slowest process's.",
    aggregator: "max",
    read: () => loopDelay().percentile(99) / NANOSECONDS,
  },
  rcs_event_loop_delay_max_seconds: {
    help: "The longest delay of the event loop since the last scrape, of the slowest process.",
    aggregator: "max",
    read: () => loopDelay().max / NANOSECONDS,
  },
  rcs_resident_memory_bytes: {
    help: "Memory of all processes.",
    aggregator: "sum",
    read: () => process.memoryUsage.rss(),
  },
  rcs_started_timestamp_seconds: {
    help: "When the youngest process started.",
    aggregator: "max",
    read: () => Math.round(performance.timeOrigin / 1_000),
  },
};

let delay: IntervalHistogram | undefined;

/** Measured from the first scrape on: a process that nobody scrapes needs no timer for it. */
function loopDelay(): IntervalHistogram {
  if (!delay) {
    delay = monitorEventLoopDelay({ resolution: 20 });
    delay.enable();
  }
  return delay;
}

/** Begins a new interval of the measured delays. */
export function forgetDelays(): void {
  loopDelay().reset();
}

/** Adds these gauges to the process's registry. */
export function registerProcessGauges(registry: Registry): void {
  for (const [name, { help, aggregator, read }] of Object.entries(PROCESS_GAUGES))
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        const value = read();
        this.set(Number.isFinite(value) ? value : 0);
      },
    });
}
