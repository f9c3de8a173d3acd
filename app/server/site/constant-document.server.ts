/** Serves a JSON document that never changes within one process, and is made at the first request. */
export function constantJson(make: () => unknown): () => Response {
  return constantDocument("application/json", () => JSON.stringify(make()));
}

/**
 * Serves a document that never changes within one process, and is made at the first request. Clients
 * revalidate it each time, since the next deployment may have another document.
 */
export function constantDocument(contentType: string, make: () => string): () => Response {
  let body: string | undefined;
  return () => {
    body ??= make();
    return new Response(body, {
      headers: { "Cache-Control": "no-cache", "Content-Type": contentType },
    });
  };
}
