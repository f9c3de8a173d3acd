import { setTimeout as sleep } from "node:timers/promises";
import type {
  AcceptedRequest,
  ProviderRequests,
  ProviderResult,
} from "~/services/images/image-provider.server";
import { failure } from "~/services/images/provider-failure.server";

const MAX_POLL_MS = 2_000;

interface Waiting {
  requests: ProviderRequests;
  request: AcceptedRequest;
  /** Milliseconds before the second look; the interval grows from there. */
  pollMs: number;
  /** Ends the wait and leaves the request to another process. */
  handOver: AbortSignal | undefined;
}

/**
 * Looks at an accepted request until its result is there. At its deadline the request is cancelled.
 * Returns `pending` if the wait was ended from outside: the request goes on at the provider.
 */
export async function awaitResult({
  requests,
  request,
  pollMs,
  handOver,
}: Waiting): Promise<ProviderResult | { status: "pending" }> {
  const { requestId, deadline } = request;
  for (let wait = pollMs; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
    const looked = await requests.look(request);
    if (looked.status !== "running") return looked;
    if (handOver?.aborted) return { status: "pending" };
    if (performance.now() + wait >= deadline) {
      await requests.cancel(request);
      return failure("ambiguous", "time-out", { requestId });
    }
    await sleep(wait, undefined, { signal: handOver }).catch(() => undefined);
    if (handOver?.aborted) return { status: "pending" };
  }
}
