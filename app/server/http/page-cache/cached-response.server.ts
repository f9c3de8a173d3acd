import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "~/server/http/encodings";
import { etagOf } from "~/server/request/etag.server";
import type { CachedPath } from "./cached-paths.server";

/** A response in one encoding, ready to be sent. */
export interface CachedVariant {
  status: number;
  body: Buffer;
  headers: Record<string, string>;
  /** Headers of a 304; null if the response is not for revalidation. */
  revalidated: Record<string, string> | null;
}

export type CachedResponse = Record<Encoding, CachedVariant>;

/**
 * Caches may store a page, and ask each time whether it is still the same: what a new deployment shows
 * is seen at once, and a cache that ignores `Vary: Cookie` still asks for each visitor.
 */
const PAGE_CACHING = "public, max-age=0, must-revalidate";

interface Rendered {
  response: Response;
  body: Buffer;
  /** The page's `Content-Security-Policy`. */
  policy: string;
}

/** Compresses a rendered response in every encoding, and gives each its headers. */
export async function cachedResponse(
  entry: CachedPath,
  rendered: Rendered,
): Promise<CachedResponse> {
  const { body } = rendered;
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
    promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  const common = commonHeaders(entry, rendered);
  const identity = variantOf(entry.status, common, "identity", body);
  const smaller = (encoding: Encoding, bytes: Buffer) =>
    bytes.length < body.length ? variantOf(entry.status, common, encoding, bytes) : identity;
  return { br: smaller("br", br), gzip: smaller("gzip", gzipped), identity };
}

function commonHeaders({ page }: CachedPath, { response, policy }: Rendered): Headers {
  const headers = new Headers(response.headers);
  if (page !== null) headers.set("Cache-Control", PAGE_CACHING);
  headers.set("Content-Security-Policy", policy);
  headers.set("Vary", page === null ? "Accept-Encoding" : "Accept-Encoding, Cookie");
  return headers;
}

function variantOf(
  status: number,
  common: Headers,
  encoding: Encoding,
  body: Buffer,
): CachedVariant {
  const headers = new Headers(common);
  const isRevalidated = status === 200 && common.get("Cache-Control") !== "no-store";
  if (isRevalidated) {
    // Of the headers too: a client that has the same body under an older policy gets the new one.
    headers.set("ETag", etagOf(JSON.stringify([...common]), body));
  }
  const revalidated = isRevalidated ? new Headers(headers) : null;
  revalidated?.delete("Content-Type");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.length));
  return {
    status,
    body,
    headers: Object.fromEntries(headers),
    revalidated: revalidated && Object.fromEntries(revalidated),
  };
}
