/**
 * A signal that aborts with the first of these. `AbortSignal.any` holds them weakly: if one aborts and is collected while
 * nobody listens, the abort is lost (Node 24.21). Its listeners stay until one of the signals aborts, so give none that
 * outlives many calls.
 */
export function firstAbort(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  const abort = () => first.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true, signal: first.signal });
  }
  return first.signal;
}
