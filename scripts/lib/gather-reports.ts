import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry } from "prom-client";
import type { FromParent, Report, ToParent } from "~/utils/metrics-exchange";

/** A process that is stopped or busy for longer is counted as silent. */
const WAIT_MS = 2_000;

interface Gathering {
  asker: Worker;
  /** The asker's number for its question. */
  question: number;
  awaited: Set<number>;
  reports: Report[];
  timer: NodeJS.Timeout;
}

/**
 * Lets each process ask for the metrics of all. The last counts of a process that ended stay in the sums: without
 * them a counter would fall, and whoever reads it would take that for a restart of everything.
 */
export function gatherReports(): void {
  const last = new Map<number, Report>();
  let ended: Report = [];
  const gatherings = new Map<number, Gathering>();
  let gathered = 0;

  function finish(id: number): void {
    const gathering = gatherings.get(id);
    if (!gathering) return;
    gatherings.delete(id);
    clearTimeout(gathering.timer);
    const { asker, question, awaited } = gathering;
    // Counters of the silent ones stay as they were last.
    const known = [...awaited].flatMap((worker) => countsOf(last.get(worker) ?? []));
    const reports = [...gathering.reports, known, ended].filter((report) => report.length > 0);
    tell(asker, { type: "reports-made", question, reports, silent: awaited.size });
  }

  function gather(asker: Worker, question: number): void {
    gathered += 1;
    const id = gathered;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => !!worker);
    gatherings.set(id, {
      asker,
      question,
      awaited: new Set(workers.map((worker) => worker.id)),
      reports: [],
      timer: setTimeout(() => finish(id), WAIT_MS),
    });
    for (const worker of workers) tell(worker, { type: "report-wanted", question: id });
  }

  function take(id: number, workerId: number, report?: Report): void {
    const gathering = gatherings.get(id);
    if (!gathering?.awaited.delete(workerId)) return;
    if (report) gathering.reports.push(report);
    if (gathering.awaited.size === 0) finish(id);
  }

  cluster.on("message", (worker, message: ToParent) => {
    if (message?.type === "reports-wanted") gather(worker, message.question);
    if (message?.type !== "report-made") return;
    last.set(worker.id, message.report);
    take(message.question, worker.id, message.report);
  });
  cluster.on("exit", (worker) => {
    ended = sum([ended, countsOf(last.get(worker.id) ?? [])]);
    last.delete(worker.id);
    for (const id of gatherings.keys()) take(id, worker.id);
  });
}

const sum = (reports: Report[]) =>
  AggregatorRegistry.aggregate(reports).getMetricsAsArray() as unknown as Report;

/** The metrics that only grow. */
const countsOf = (report: Report): Report => report.filter(({ type }) => isCount(type));
const isCount = (type: unknown) => type === "counter" || type === "histogram";

function tell(worker: Worker, message: FromParent): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
