import type { RequestHandler } from "express";

/** A request that the app made, for tests to read. The key it was made with is left out. */
export interface RecordedRequest {
  at: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

const KEPT_HEADERS = ["content-type", "idempotency-key", "stripe-version"];

/** Records every request that reaches it, with the status of the answer, parsed body included. */
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
