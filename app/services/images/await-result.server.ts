import { setTimeout as sleep } from "node:timers/promises";
import type {
  AcceptedRequest,
  ProviderRequests,
  ProviderResult,
} from "~/services/images/image-provider.server";
import { failure } from "~/services/images/provider-failure.server";
import { LEAST_LOOK_MS } from "~/services/images/request-times";

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
  // If no process lived for long, the time is over, and the result that was paid for has been there since.
  let lookUntil = Math.max(deadline, performance.now() + LEAST_LOOK_MS);
  for (let wait = pollMs; ; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
    const looked = await requests.look({ ...request, deadline: lookUntil });
    lookUntil = deadline;
    if (looked.status !== "running") return looked;
    if (handOver?.aborted) return { status: "pending" };
    if (performance.now() + wait >= deadline) {
      await requests.cancel(request);
      // The images that are there by now were paid for: all of it, or the images of those calls that ended in time.
      const until = performance.now() + LEAST_LOOK_MS;
      const last = await requests.look({ ...request, deadline: until, isLast: true });
      return last.status === "generated" ? last : failure("ambiguous", "time-out", { requestId });
    }
    await sleep(wait, undefined, { signal: handOver }).catch(() => undefined);
    if (handOver?.aborted) return { status: "pending" };
  }
}
