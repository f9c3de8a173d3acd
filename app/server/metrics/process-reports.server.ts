import cluster from "node:cluster";
import { forgetDelays, registerProcessGauges } from "~/server/metrics/process-gauges.server";
import { countsRegistry } from "~/utils/metrics.server";
import type { FromParent, Report, ReportsMade, ToParent } from "~/utils/metrics-exchange";
import { withinDeadline } from "~/utils/within-deadline";

/** Longer than the parent waits for the others. */
const DEADLINE_MS = 3_000;

let isReady = false;

/** Makes this process answer for itself, and lets it ask for all processes of its parent. */
export function joinReports(): void {
  if (isReady) return;
  isReady = true;
  registerProcessGauges(countsRegistry());
  if (!cluster.isWorker) return;
  process.on("message", (message: FromParent) => {
    if (message.type === "reports-made") waiting.get(message.question)?.(message);
    if (message.type === "report-wanted") void report(message.question);
  });
}

const waiting = new Map<number, (made: ReportsMade) => void>();
let questions = 0;

async function report(question: number): Promise<void> {
  tell({ type: "report-made", question, report: await ownReport() });
}

async function ownReport(): Promise<Report> {
  const made = await countsRegistry().getMetricsAsJSON();
  forgetDelays();
  return made as Report;
}

/** The reports of all processes under this one's parent, this one's among them. */
export async function reportsOfAll(): Promise<Pick<ReportsMade, "reports" | "silent">> {
  joinReports();
  if (!cluster.isWorker) return { reports: [await ownReport()], silent: 0 };
  questions += 1;
  const question = questions;
  const made = new Promise<ReportsMade>((resolve) => {
    waiting.set(question, resolve);
    tell({ type: "reports-wanted", question });
  });
  try {
    return await withinDeadline(made, DEADLINE_MS, "the parent process gave no reports");
  } finally {
    waiting.delete(question);
  }
}

function tell(message: ToParent): void {
  // The parent may have ended.
  if (process.connected) process.send?.(message);
}
