import { requireAllowed } from "~/services/outgoing/allowed-origins.server";
import { platformFetch } from "~/services/outgoing/platform-fetch.server";
import { type FetchPurpose, PURPOSES } from "~/services/outgoing/purposes.server";
import { count, observe } from "~/utils/metrics.server";
import { inSpan } from "~/utils/tracing.server";

/**
 * A `fetch` for one purpose: it calls the purpose's origins only, follows no redirect, and reads the
 * whole response within the purpose's limits. With `redirect: "manual"` a redirect is returned, else it is
 * an error. Throws ForbiddenAddress for any other origin, before anything is connected.
 */
export function outgoingFetch(purpose: FetchPurpose): typeof globalThis.fetch {
  // A span for the sending of spans would have to be sent, too.
  if (purpose === "traces") return boundedFetch(purpose);
  const call = boundedFetch(purpose);
  return (input, init) =>
    inSpan({ name: `call ${purpose}`, kind: "client" }, async (note) => {
      const response = await call(input, init);
      note({ "http.response.status_code": response.status });
      return response;
    });
}

function boundedFetch(purpose: FetchPurpose): typeof globalThis.fetch {
  const { to, bytes, seconds } = PURPOSES[purpose];
  return async (input, init = {}) => {
    requireAllowed(purpose, new URL(input instanceof Request ? input.url : input));
    const began = performance.now();
    let status = "failed";
    const limit = new AbortController();
    const timeOut = () => limit.abort(new DOMException(`${to}: time-out`, "TimeoutError"));
    const timer = setTimeout(timeOut, seconds * 1000);
    const signal = init.signal ?? (input instanceof Request ? input.signal : null);
    const giveUp = () => limit.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    // AbortSignal.any would let a time-out that nothing else holds be collected.
    signal?.addEventListener("abort", giveUp);
    try {
      const response = await platformFetch(input, {
        ...init,
        // A redirect would carry keys to its target.
        redirect: init.redirect === "manual" ? "manual" : "error",
        signal: limit.signal,
      });
      const body = await readWithin(response, bytes, to);
      status = String(response.status);
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      count("rcs_outgoing_requests_total", { purpose, status });
      observe("rcs_outgoing_request_duration_seconds", { purpose }, began);
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  };
}

/** The body, of which no more than `bytes` are ever held; null if there is none. */
async function readWithin({ body }: Response, bytes: number, to: string) {
  if (!body) return null;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > bytes) {
      // Ends the connection.
      await reader.cancel();
      throw new Error(`${to}: the response is longer than ${bytes} bytes`);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, size);
}
