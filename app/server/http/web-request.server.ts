import { createReadableStreamFromReadable } from "@remix-run/node";
import type { Request as ExpressRequest } from "express";
import { requestHost } from "./guards/forwarded-headers.server";

/**
 * Returns the request as loaders and handlers get it. Its signal never aborts: to make one that does takes as long
 * as to make the request, and nothing that gets this request reads it.
 */
export function webRequest(request: ExpressRequest): Request {
  const { method, protocol, headers, originalUrl } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`${protocol}://${requestHost(headers)}${originalUrl}`, {
    method,
    headers: headersOf(request),
    // The type of Node's `fetch` needs no `duplex`, its code does.
    ...(hasBody ? { body: createReadableStreamFromReadable(request), duplex: "half" } : {}),
  } as RequestInit);
}

function headersOf({ headers }: ExpressRequest): Headers {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const text of [value ?? []].flat()) sent.append(name, text);
  return sent;
}
