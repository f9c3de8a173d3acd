import type { Env } from "~/env.server";

/**
 * Every origin of the store that browsers use, for uploads and downloads. Without path style each
 * bucket is a host of its own.
 */
export function storeOrigins(storage: Env["storage"]): string[] {
  if (!storage.enabled) return [];
  const { endpoint, publicUrl, forcePathStyle, bucket, privateBucket } = storage;
  const hosts = forcePathStyle
    ? [endpoint.host]
    : [...new Set([bucket, privateBucket])].map((name) => `${name}.${endpoint.host}`);
  const origins = hosts.map((host) => `${endpoint.protocol}//${host}`);
  return publicUrl ? [...origins, publicUrl.origin] : origins;
}
