import { expect } from "vitest";
import { parseMetrics, type Sample } from "../../scripts/status/read-metrics";

export { sumOf } from "../../scripts/status/read-metrics";

export const METRICS_SECRET = "metrics-secret-for-tests-only";

/** Asks a server for its metrics. */
export async function scrape(url: string): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_SECRET}`, Connection: "close" },
  });
  expect(response.status).toBe(200);
  return parseMetrics(await response.text());
}
