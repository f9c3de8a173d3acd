import { isLocalApi } from "~/services/images/image-url.server";
import { type Guarded, guardedGet, type ResolveHost } from "~/services/outgoing/guarded-get.server";
import { FINISHED_PICTURES } from "~/services/outgoing/purposes.server";
import { matchesContentType, SIGNATURE_BYTES } from "~/services/storage/file-signature.server";

const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;

export type FetchedImage =
  | { status: "fetched"; bytes: Buffer; contentType: (typeof IMAGE_TYPES)[number] }
  /** The reason is for the log; it contains no URL and no content. */
  | { status: "failed"; reason: string };

interface FetchImage {
  /** From the provider: http, https or data. */
  url: string;
  /** The provider's API base. If it is on this machine, the image may be too. */
  apiBase: string;
  /** Time for the whole fetch, including redirects. */
  timeoutMs?: number;
  maxBytes?: number;
  resolve?: ResolveHost;
}

const TIMEOUT_MS = FINISHED_PICTURES.seconds * 1000;
const MAX_BYTES = FINISHED_PICTURES.bytes;

/**
 * Fetches a provider's image and checks that it is safe to save. Fetches only over https and from
 * public addresses, at most 25 MiB within 30 seconds. The first bytes must be JPEG, PNG, WebP or GIF,
 * whatever type is declared. Never throws.
 */
export async function fetchImage(options: FetchImage): Promise<FetchedImage> {
  const { url, maxBytes = MAX_BYTES } = options;
  if (url.startsWith("data:")) return readDataUrl(url, maxBytes);
  return checkImage(await follow(options));
}

/** Reads the image in a data URL, under the same rules. Never throws. */
export function readDataUrl(url: string, maxBytes = MAX_BYTES): Promise<FetchedImage> {
  return checkImage(decodeDataUrl(url, maxBytes));
}

async function checkImage(got: Got): Promise<FetchedImage> {
  if (got.status !== "ok") return got;
  const start = got.bytes.subarray(0, SIGNATURE_BYTES);
  for (const contentType of IMAGE_TYPES)
    if (await matchesContentType(start, contentType))
      return { status: "fetched", bytes: got.bytes, contentType };
  return { status: "failed", reason: "not an image" };
}

type Got = Exclude<Guarded, { status: "redirect" }>;

async function follow(options: FetchImage): Promise<Got> {
  const { apiBase, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, resolve } = options;
  const deadline = performance.now() + timeoutMs;
  let address = parseUrl(options.url);
  for (let redirects = 0; redirects <= FINISHED_PICTURES.redirects; redirects += 1) {
    if (!address) return { status: "failed", reason: "malformed address" };
    const got = await guardedGet({
      url: address,
      allowLoopback: isLocalApi(apiBase),
      maxBytes,
      deadline,
      resolve,
    });
    if (got.status !== "redirect") return got;
    address = parseUrl(got.location, address);
  }
  return { status: "failed", reason: "too many redirects" };
}

function parseUrl(text: string, base?: URL): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

function decodeDataUrl(url: string, maxBytes: number): Got {
  const [, encoded] = /^data:image\/[\w.+-]+;base64,(.*)$/is.exec(url) ?? [];
  if (encoded === undefined) return { status: "failed", reason: "malformed data URL" };
  return Buffer.byteLength(encoded, "base64") > maxBytes
    ? { status: "failed", reason: "too large" }
    : { status: "ok", bytes: Buffer.from(encoded, "base64") };
}
