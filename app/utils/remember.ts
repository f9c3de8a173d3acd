/**
 * Shares one run of `load` among all callers, from its start until `milliseconds` after its end. A
 * failure is shared by the callers that waited for it, then forgotten.
 */
export function rememberFor<Value>(
  milliseconds: number,
  load: () => Promise<Value>,
): () => Promise<Value> {
  let shared: Promise<Value> | null = null;
  let freshUntil = Number.POSITIVE_INFINITY;
  return () => {
    if (shared && performance.now() < freshUntil) return shared;
    freshUntil = Number.POSITIVE_INFINITY;
    shared = load().then(
      (value) => {
        freshUntil = performance.now() + milliseconds;
        return value;
      },
      (error: unknown) => {
        shared = null;
        throw error;
      },
    );
    return shared;
  };
}
