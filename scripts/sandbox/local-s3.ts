import { mkdir } from "node:fs/promises";
import path from "node:path";
import S3rver from "@20minutes/s3rver";
import AWSAccount from "@20minutes/s3rver/lib/models/account";
import { serveLocally } from "./serve-locally";

export interface LocalS3 {
  /** Values of the app's S3 variables to use it. */
  env: Record<
    | "STORAGE_PROVIDER"
    | "S3_ENDPOINT"
    | "S3_ACCESS_KEY_ID"
    | "S3_SECRET_ACCESS_KEY"
    | "S3_BUCKET_NAME",
    string
  >;
  stop(): Promise<void>;
}

const KEY = { id: "sandbox-access-key", secret: "sandbox-secret-key" };
const BUCKET = "sandbox";

/**
 * Any origin may PUT here: it serves only this machine, and browsers send a preflight before each
 * upload.
 */
const CORS = `<CORSConfiguration>
  <CORSRule>
    <AllowedOrigin>*</AllowedOrigin>
    <AllowedMethod>GET</AllowedMethod>
    <AllowedMethod>HEAD</AllowedMethod>
    <AllowedMethod>PUT</AllowedMethod>
    <AllowedHeader>*</AllowedHeader>
    <ExposeHeader>ETag</ExposeHeader>
  </CORSRule>
</CORSConfiguration>`;

/** Starts an S3 server on this machine that verifies signatures like S3. Files go to `directory`. */
export async function startLocalS3(options: { directory: string; port: number }): Promise<LocalS3> {
  const directory = path.resolve(options.directory);
  await mkdir(directory, { recursive: true });
  escapeQueriesAsSigV4Wants();
  AWSAccount.DUMMY_ACCOUNT.createKeyPair(KEY.id, KEY.secret);
  const server = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [CORS] }],
  });
  await server.configureBuckets();
  const { url, stop } = await serveLocally(options.port, () => server.callback());
  return {
    env: {
      STORAGE_PROVIDER: "s3",
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: KEY.id,
      S3_SECRET_ACCESS_KEY: KEY.secret,
      S3_BUCKET_NAME: BUCKET,
    },
    stop,
  };
}

/**
 * s3rver rebuilds a signed query with the global `encodeURIComponent`, which doesn't escape `!'()*`.
 * SigV4 does, so s3rver would refuse download names with brackets or non-Latin letters. Escaping more is
 * harmless elsewhere: it decodes to the same text.
 */
function escapeQueriesAsSigV4Wants(): void {
  const encode = globalThis.encodeURIComponent;
  globalThis.encodeURIComponent = (value) =>
    encode(value).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
}
