import { readFileSync } from "node:fs";

/** An alert rule of Prometheus. */
export interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels?: { severity?: string };
  annotations: { summary?: string; runbook?: string };
}

interface Panel {
  targets?: { expr: string }[];
}

/** The queries of the dashboard. */
export function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync("docs/observability/dashboard.json", "utf8")) as {
    panels: Panel[];
  };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}
