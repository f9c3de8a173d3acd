import { createHash } from "node:crypto";

/** Serves a JSON document that never changes within one process. */
export function constantJson(make: () => unknown): (request: Request) => Response {
  return constantDocument("application/json", () => JSON.stringify(make()));
}

/**
 * Serves a document that never changes within one process. It is made at the first request. Clients
 * that have it revalidate each time and get a 304, since the next deployment may have another
 * document.
 */
export function constantDocument(
  contentType: string,
  make: () => string,
): (request: Request) => Response {
  let made: { body: string; etag: string } | undefined;
  return (request) => {
    made ??= withTag(make());
    const { body, etag } = made;
    const headers = { ETag: etag, "Cache-Control": "no-cache" };
    if (isAmong(etag, request.headers.get("If-None-Match"))) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(body, { headers: { ...headers, "Content-Type": contentType } });
  };
}

function withTag(body: string) {
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  // Weak, because compression changes the bytes but not the content.
  return { body, etag: `W/"${digest}"` };
}

function isAmong(etag: string, ifNoneMatch: string | null): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim()) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
