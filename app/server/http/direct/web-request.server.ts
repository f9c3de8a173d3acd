import type { Request as ExpressRequest } from "express";
import { requestHost } from "../guards/forwarded-headers.server";

/**
 * Returns a GET as loaders get it. Its signal never aborts: nothing reads it (see `whenLeft`), and a live one doubles the cost
 * of the request.
 */
export function webRequest({ protocol, headers, originalUrl }: ExpressRequest): Request {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const text of [value ?? []].flat()) sent.append(name, text);
  return new Request(`${protocol}://${requestHost(headers)}${originalUrl}`, { headers: sent });
}
