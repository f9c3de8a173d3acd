import type { Env } from "~/env.server";
import { readVersion } from "~/server/background/presence.server";
import { setTracer } from "~/utils/tracing.server";

/** How long the last spans may take to be sent when a process ends. */
const FLUSH_MS = 1_000;

/**
 * Turns traces on, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; else nothing of OpenTelemetry's SDK is loaded. `end` sends
 * what is left.
 */
export async function startTracing(
  { traces }: Pick<Env, "traces">,
  kind: "server" | "worker",
): Promise<{ end(): Promise<void> }> {
  if (!traces) return { end: async () => undefined };
  const { openTraces } = await import("~/server/tracing/open-telemetry.server");
  const { tracer, flush } = openTraces(traces, { kind, version: readVersion() });
  setTracer(tracer);
  return {
    async end() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_MS);
      });
      await Promise.race([flush().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}
