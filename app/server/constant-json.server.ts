/**
 * Returns a JSON document that never changes within one process, and is made at the first request. Clients
 * revalidate it each time, since the next deployment may have another document.
 */
export function constantJson(make: () => unknown): () => Response {
  let body: string | undefined;
  return () => {
    body ??= JSON.stringify(make());
    return new Response(body, {
      headers: { "Cache-Control": "no-cache", "Content-Type": "application/json" },
    });
  };
}
