import type { MetricObjectWithValues, MetricValue } from "prom-client";

// Messages between server processes under one parent, so that each can report for all of them.

/** The metrics of one process, as `Registry.getMetricsAsJSON` gives them. */
export type Report = MetricObjectWithValues<MetricValue<string>>[];

/** From a process to its parent, which asks the others. */
export interface ReportsWanted {
  type: "reports-wanted";
  question: number;
}

/** From the parent to each process. */
export interface ReportWanted {
  type: "report-wanted";
  question: number;
}

/** From each process to the parent. */
export interface ReportMade {
  type: "report-made";
  question: number;
  report: Report;
}

/** From the parent to the process that asked. */
export interface ReportsMade {
  type: "reports-made";
  question: number;
  /** Of the processes that responded, and the sums of those that ended. */
  reports: Report[];
  /** Processes that did not respond in time. */
  silent: number;
}

export type ToParent = ReportsWanted | ReportMade;
export type FromParent = ReportWanted | ReportsMade;
