import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP's JSON has it. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

export interface Collector {
  url: string;
  /** Every body so far, as it came. */
  bodies: string[];
  /** Every header of the requests so far. */
  headers: NodeJS.Dict<string | string[]>[];
  spans(): CollectedSpan[];
  stop(): void;
}

/** A collector that takes traces by OTLP over HTTP, and keeps them. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const headers: Collector["headers"] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url === "/v1/traces" && request.method === "POST") {
      bodies.push(body);
      headers.push(request.headers);
    }
    response.setHeader("Content-Type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    spans: () => bodies.flatMap(spansOf),
    stop: () => server.close(),
  };
}

interface Export {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

const spansOf = (body: string): CollectedSpan[] =>
  (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );

/** A span's attribute as a string. */
export function attributeOf({ attributes }: CollectedSpan, key: string): string | undefined {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value && String(Object.values(value)[0]);
}
