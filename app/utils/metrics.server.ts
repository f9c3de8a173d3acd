import { Counter, Histogram, Registry } from "prom-client";

/** Counts of a process since it started. Labels take few values, and never an id, an address or a path. */
export const COUNTERS = {
  rcs_http_requests_total: {
    help: "Requests that ended. The route `$` is files and unknown addresses; the status is `closed` where the visitor left first.",
    labelNames: ["route", "method", "status"],
  },
  rcs_webhooks_total: {
    help: "Deliveries by outcome: processed, deduped, failed, refused (signature), unreadable.",
    labelNames: ["provider", "outcome"],
  },
  rcs_runs_total: {
    help: "Runs that ended: settled or refunded. The provider is `none` where none made a result.",
    labelNames: ["action", "provider", "outcome"],
  },
  rcs_provider_calls_total: {
    help: "Calls to image and text providers, by how they ended.",
    labelNames: ["action", "provider", "outcome"],
  },
  rcs_outgoing_requests_total: {
    help: "Requests to other services by purpose and status; `failed` where no response came.",
    labelNames: ["purpose", "status"],
  },
  rcs_refusals_total: {
    help: "Requests refused by a rate limit, a spending limit or for want of credits.",
    labelNames: ["limit"],
  },
  rcs_jobs_total: {
    help: "Attempts at jobs: done, failed (tried again), given_up.",
    labelNames: ["kind", "outcome"],
  },
  rcs_log_lines_total: {
    help: "Log lines from level warn on. Each line of level error wants a person.",
    labelNames: ["level"],
  },
} as const;

/** Seconds. */
export const HISTOGRAMS = {
  rcs_http_request_duration_seconds: {
    help: "Time from a request's head to the end of its response.",
    labelNames: ["route"],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
  rcs_outgoing_request_duration_seconds: {
    help: "Time that another service took, its whole response included.",
    labelNames: ["purpose"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  },
} as const;

export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
type Label<Definition extends { labelNames: readonly string[] }> = Definition["labelNames"][number];

/**
 * Counts that begin at 0, because an alert looks for each increase: of a series that begins with its first event,
 * Prometheus sees none.
 */
const FROM_ZERO: [CounterName, Record<string, string>][] = [
  ...["warn", "error", "fatal"].map((level) => ["rcs_log_lines_total", { level }] as const),
  ...["stripe", "creem"].flatMap((provider) =>
    ["processed", "failed", "refused"].map(
      (outcome) => ["rcs_webhooks_total", { provider, outcome }] as const,
    ),
  ),
].map(([name, labels]) => [name, labels]);

interface Metrics {
  registry: Registry;
  counters: Record<CounterName, Counter>;
  histograms: Record<HistogramName, Histogram>;
}

let metrics: Metrics | undefined;

/** Adds one to a counter of this process. */
export function count<Name extends CounterName>(
  name: Name,
  labels: Record<Label<(typeof COUNTERS)[Name]>, string>,
): void {
  getMetrics().counters[name].inc(labels);
}

/** Records how long something took that began at `began`, by `performance.now()`. */
export function observe<Name extends HistogramName>(
  name: Name,
  labels: Record<Label<(typeof HISTOGRAMS)[Name]>, string>,
  began: number,
): void {
  getMetrics().histograms[name].observe(labels, (performance.now() - began) / 1_000);
}

/** The counts of this process. */
export function countsRegistry(): Registry {
  return getMetrics().registry;
}

function getMetrics(): Metrics {
  if (!metrics) {
    metrics = createMetrics();
    for (const [name, labels] of FROM_ZERO) metrics.counters[name].inc(labels, 0);
  }
  return metrics;
}

function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const create = <Table extends object, Metric>(
    table: Table,
    make: (name: keyof Table & string) => Metric,
  ) =>
    Object.fromEntries(
      Object.keys(table).map((name) => [name, make(name as keyof Table & string)]),
    ) as Record<keyof Table, Metric>;
  return {
    registry,
    counters: create(COUNTERS, (name) => {
      const { help, labelNames } = COUNTERS[name];
      return new Counter({ name, help, labelNames: [...labelNames], registers });
    }),
    histograms: create(HISTOGRAMS, (name) => {
      const { help, labelNames, buckets } = HISTOGRAMS[name];
      return new Histogram({
        name,
        help,
        labelNames: [...labelNames],
        buckets: [...buckets],
        registers,
      });
    }),
  };
}
