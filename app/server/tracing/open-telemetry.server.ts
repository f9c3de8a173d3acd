import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Env } from "~/env.server";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { log } from "~/utils/logger.server";
import type { OpenSpan, SpanOptions, Tracer } from "~/utils/tracing.server";

// Loaded only where traces are on. OpenTelemetry's SDK makes the spans; the export goes through our own door.

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} satisfies Record<SpanOptions["kind"], SpanKind>;

interface Service {
  /** `server` or `worker`. */
  kind: string;
  version: string;
}

/** Traces that go to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`, and what sends the rest at the end. */
export function openTraces(
  settings: NonNullable<Env["traces"]>,
  { kind, version }: Service,
): { tracer: Tracer; flush(): Promise<void> } {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "credits",
      "service.version": version,
      "service.instance.id": `${kind}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.share) }),
    spanLimits: { attributeValueLengthLimit: 200 },
    spanProcessors: [
      new BatchSpanProcessor({ exporter: createExporter(settings), exportTimeoutMillis: 5_000 }),
    ],
  });
  const own = provider.getTracer("credits", version);
  // Not OpenTelemetry's global one, so that libraries trace nothing of their own.
  const current = new AsyncLocalStorage<Context>();
  return {
    tracer: {
      begin: ({ name, kind, facts }): OpenSpan => {
        const parent = current.getStore() ?? ROOT_CONTEXT;
        const span = own.startSpan(name, { kind: KINDS[kind], attributes: facts ?? {} }, parent);
        return {
          note: (more) => void span.setAttributes(more),
          run: (work) => current.run(trace.setSpan(parent, span), work),
          end: (error) => {
            // Its message may hold what the span must not say.
            if (error !== undefined) {
              span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
              span.setStatus({ code: SpanStatusCode.ERROR });
            }
            span.end();
          },
        };
      },
    },
    flush: () => provider.shutdown(),
  };
}

/** Between two log lines about a collector that takes nothing. */
const QUIET_MS = 60_000;

function createExporter({ endpoint, headers }: NonNullable<Env["traces"]>): SpanExporter {
  const post = outgoingFetch("traces");
  let quietUntil = 0;
  const send = async (spans: Parameters<SpanExporter["export"]>[0]) => {
    const body = JsonTraceSerializer.serializeRequest(spans);
    const response = await post(`${endpoint}/v1/traces`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: Buffer.from(body ?? new Uint8Array()),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
  };
  return {
    export(spans, done) {
      send(spans).then(
        () => done({ code: 0 }),
        (error: unknown) => {
          if (performance.now() >= quietUntil) {
            quietUntil = performance.now() + QUIET_MS;
            log().warn({ err: error, spans: spans.length }, "traces not sent; they are lost");
          }
          done({ code: 1 });
        },
      );
    },
    shutdown: async () => undefined,
  };
}
