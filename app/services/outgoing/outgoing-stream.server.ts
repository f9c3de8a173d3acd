import { requireAllowed } from "~/services/outgoing/allowed-origins.server";
import { platformFetch } from "~/services/outgoing/platform-fetch.server";
import { PURPOSES, type PurposeName } from "~/services/outgoing/purposes.server";
import { inSpan } from "~/utils/tracing.server";

/**
 * A `fetch` for one purpose whose response comes while it is made. It calls the purpose's origins only, follows
 * no redirect, and ends with an error beyond the purpose's bytes. The caller's `signal` ends the call at
 * any time, also while the body comes; without one nothing limits its time.
 * Throws ForbiddenAddress for any other origin, before anything is connected.
 */
export function outgoingStream(purpose: PurposeName): typeof globalThis.fetch {
  const { to, bytes } = PURPOSES[purpose];
  return async (input, init = {}) => {
    requireAllowed(purpose, new URL(input instanceof Request ? input.url : input));
    // Until the response begins.
    const response = await inSpan({ name: `call ${purpose}`, kind: "client" }, () =>
      platformFetch(input, { ...init, redirect: "error" }),
    );
    const { status, headers, body } = response;
    return new Response(body?.pipeThrough(atMost(bytes, to)) ?? null, { status, headers });
  };
}

function atMost(bytes: number, to: string): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(part, controller) {
      size += part.byteLength;
      if (size > bytes) throw new Error(`${to}: the response is longer than ${bytes} bytes`);
      controller.enqueue(part);
    },
  });
}
