import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest, Response as ExpressResponse } from "express";
import { requestHost } from "./forwarded-headers.server";

/** Returns the request without its body, as loaders get it. */
export function webRequest(request: ExpressRequest): Request {
  return new Request(urlOf(request), { headers: headersOf(request) });
}

/** Returns the request with its body, as actions get it. It is aborted if the visitor leaves before the response ends. */
export function webRequestWithBody(request: ExpressRequest, response: ExpressResponse): Request {
  const leaving = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort();
  });
  return new Request(urlOf(request), {
    method: request.method,
    headers: headersOf(request),
    signal: leaving.signal,
    body: createReadableStreamFromReadable(request),
    // The type of Node's `fetch` needs no `duplex`, its code does.
    duplex: "half",
  } as RequestInit);
}

function urlOf({ protocol, headers, originalUrl }: ExpressRequest): string {
  return `${protocol}://${requestHost(headers)}${originalUrl}`;
}

function headersOf({ headers }: ExpressRequest): Headers {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const text of [value ?? []].flat()) sent.append(name, text);
  return sent;
}
