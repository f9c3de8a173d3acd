import type { RequestHandler } from "express";

/** A request from the app, for tests. Leaves out the API key. */
export interface RecordedRequest {
  at: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

const KEPT_HEADERS = ["content-type", "idempotency-key", "stripe-version"];

/** Records every request with its parsed body and the response's status. */
export function recordRequests(log: RecordedRequest[]): RequestHandler {
  return (request, response, next) => {
    const headers = KEPT_HEADERS.flatMap((name) => {
      const value = request.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const entry: RecordedRequest = {
      at: new Date().toISOString(),
      method: request.method,
      path: request.originalUrl,
      headers: Object.fromEntries(headers),
      body: request.body,
      status: 0,
    };
    log.push(entry);
    response.on("finish", () => {
      entry.status = response.statusCode;
    });
    next();
  };
}
