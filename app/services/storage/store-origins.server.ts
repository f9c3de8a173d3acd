import { isIP } from "node:net";
import type { Env } from "~/env.server";

/** Names that the SDK makes a host of. It puts all others into the path, as it does where the store's host is an IP address. */
const HOST_NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/**
 * Every origin of the store that the app and browsers use, for uploads and downloads. Without path style each
 * bucket is a host of its own if its name can be one.
 */
export function storeOrigins(storage: Env["storage"]): string[] {
  if (!storage.enabled) return [];
  const { endpoint, publicUrl, forcePathStyle, bucket, privateBucket } = storage;
  const isInPath = (name: string) =>
    forcePathStyle || isIP(endpoint.hostname.replace(/[[\]]/g, "")) > 0 || !HOST_NAME.test(name);
  const origins = [bucket, privateBucket].map((name) =>
    isInPath(name) ? endpoint.origin : `${endpoint.protocol}//${name}.${endpoint.host}`,
  );
  return [...new Set(publicUrl ? [...origins, publicUrl.origin] : origins)];
}
