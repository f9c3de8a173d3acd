import { AggregatorRegistry, Gauge, type PrometheusContentType, Registry } from "prom-client";
import { getEnv } from "~/env.server";
import { readFactsRegistry } from "~/server/metrics/fact-gauges.server";
import { reportsOfAll } from "~/server/metrics/process-reports.server";
import { hasBearer } from "~/server/request/bearer.server";
import { AppError } from "~/utils/app-error";
import { securityEvent } from "~/utils/security-event.server";

export const SILENT_PROCESSES = "rcs_processes_silent";

interface MetricsRequest {
  request: Request;
  /** Whether the facts of the database belong to it: the servers tell them, and a worker doesn't repeat them. */
  withFacts: boolean;
}

/**
 * The metrics of all processes under one parent in Prometheus' text format, for `Authorization: Bearer
 * <METRICS_SECRET>` alone.
 * @throws AppError 404 not_found without a METRICS_SECRET, 401 unauthenticated
 */
export async function getMetricsText({ request, withFacts }: MetricsRequest): Promise<Response> {
  requireMetricsSecret(request);
  const [processes, facts] = await Promise.all([
    readProcesses(),
    withFacts ? readFactsRegistry() : new Registry(),
  ]);
  const text = await Registry.merge([processes, facts]).metrics();
  return new Response(text, { headers: { "Content-Type": Registry.PROMETHEUS_CONTENT_TYPE } });
}

function requireMetricsSecret(request: Request): void {
  const { metricsSecret } = getEnv();
  if (metricsSecret === null)
    throw new AppError({ code: "not_found", publicMessage: "There is nothing at this address." });
  if (hasBearer(request, metricsSecret)) return;
  const reason = request.headers.has("Authorization") ? "wrong_bearer" : "no_bearer";
  securityEvent("bearer_refused", { outcome: "failure", reason, details: { route: "/metrics" } });
  throw new AppError({
    code: "unauthenticated",
    publicMessage:
      "The secret is missing or wrong. Send the header `Authorization: Bearer` followed by METRICS_SECRET.",
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

async function readProcesses() {
  const { reports, silent } = await reportsOfAll();
  const registry = AggregatorRegistry.aggregate<PrometheusContentType>(reports);
  new Gauge({
    name: SILENT_PROCESSES,
    help: "Processes that gave no numbers in time: they hang or are overloaded.",
    registers: [registry],
  }).set(silent);
  return registry;
}
