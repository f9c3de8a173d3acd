import type { IncomingHttpHeaders } from "node:http";
import type { FailureClass, ProviderFailure } from "~/services/images/image-provider.server";
import type { Exchange, Responded } from "~/services/outgoing/exchange.server";

/** Classifies a missing response: not sent means not paid for; sent and lost may have been paid for. */
export function withoutResponse(exchange: Exclude<Exchange, Responded>): ProviderFailure {
  return failure(exchange.status === "unsent" ? "transient" : "ambiguous", exchange.reason);
}

export function failure(
  status: FailureClass,
  reason: string,
  details: Partial<Pick<ProviderFailure, "retryAfterMs" | "requestId">> = {},
): ProviderFailure {
  return { status, reason, retryAfterMs: null, requestId: null, ...details };
}

/** Classifies an HTTP status the same for every provider; null if only the provider's own rules tell. */
export function classifyStatus(code: number): FailureClass | null {
  if (code === 400 || code === 413 || code === 422) return "invalid";
  if (code === 401 || code === 402 || code === 403 || code === 404) return "auth";
  if (code === 429 || code === 503) return "transient";
  return null;
}

/** The body as JSON; undefined if it isn't JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in milliseconds from now, given as seconds or a date; null if absent. */
export function readRetryAfter(headers: IncomingHttpHeaders): number | null {
  const text = headers["retry-after"]?.trim();
  if (!text) return null;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** A header's text, shortened for a log line. */
export function readHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value.slice(0, 100) : null;
}

/** The reason for the log: the status, plus the provider's code if it looks like one. */
export function describe(code: number, providerCode?: string | null): string {
  return providerCode && /^[\w.-]{1,64}$/.test(providerCode)
    ? `${code} ${providerCode}`
    : String(code);
}
