import type { z } from "zod";
import { baseUrl, choice, credential, flag, integer, matching } from "~/env/formats";

export type StorageEnv =
  | { enabled: false }
  | {
      enabled: true;
      provider: "s3" | "r2" | "minio";
      /** Its path ends in a slash. */
      endpoint: URL;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
      bucket: string;
      /** The bucket for private objects; same as `bucket` unless configured. */
      privateBucket: string;
      /** Its path ends in a slash. */
      publicUrl: URL | null;
      forcePathStyle: boolean;
    };

const bucketName = matching(
  /^[a-z0-9][a-z0-9._-]{1,254}$/i,
  "is not a bucket name: write the name alone, without address or slashes",
).optional();

export const storageVariables = {
  STORAGE_PROVIDER: choice({ s3: "s3" as const, r2: "r2" as const, minio: "minio" as const })
    .optional()
    .meta({ description: "Kind of object store, s3 (the default), r2 or minio." }),
  S3_ENDPOINT: baseUrl().optional().meta({ description: "Address of the S3 API." }),
  S3_ACCESS_KEY_ID: credential()
    .optional()
    .meta({ description: "Access key of the bucket.", key: true }),
  S3_SECRET_ACCESS_KEY: credential()
    .optional()
    .meta({ description: "Secret of the access key.", secret: true, key: true }),
  S3_BUCKET_NAME: bucketName.meta({ description: "Bucket that files are stored in." }),
  S3_PRIVATE_BUCKET_NAME: bucketName.meta({
    description: "Bucket of private files, so that a public bucket holds none.",
  }),
  S3_REGION: matching(/^[a-z0-9-]+$/i, "is not a region: write it like us-east-1 or auto")
    .optional()
    .meta({ description: "Region of the bucket, by default auto for r2 and else us-east-1." }),
  S3_PUBLIC_URL: baseUrl()
    .optional()
    .meta({ description: "Address at which the bucket's public files can be fetched." }),
  S3_FORCE_PATH_STYLE: flag().optional().meta({
    description: "Bucket in the path rather than the host; true unless the endpoint is Amazon's.",
  }),
  STORAGE_QUOTA_MB: integer(1)
    .default(200)
    .meta({ description: "Megabytes that the files of one user may take." }),
};

type StorageValues = z.output<z.ZodObject<typeof storageVariables>>;

const COMPLETE_SET = [
  "S3_ENDPOINT",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_BUCKET_NAME",
] as const;

/** The four variables must be set together; `texts` holds the set ones, well-formed or not. */
export function findStorageFaults(texts: Record<string, string>): string[] {
  const missing = COMPLETE_SET.filter((name) => texts[name] === undefined);
  if (missing.length === 0 || missing.length === COMPLETE_SET.length) return [];
  const verb = missing.length === 1 ? "is" : "are";
  return [
    `${missing.join(", ")} ${verb} not set, so storage is incomplete: set all of ${COMPLETE_SET.join(", ")}, or none`,
  ];
}

export function buildStorage(values: StorageValues): { storage: StorageEnv; warnings: string[] } {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET_NAME } = values;
  if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY || !S3_BUCKET_NAME) {
    const warnings = values.STORAGE_PROVIDER
      ? [
          `STORAGE_PROVIDER is set but storage is disabled: set ${COMPLETE_SET.join(", ")} to enable it`,
        ]
      : [];
    return { storage: { enabled: false }, warnings };
  }
  const provider = values.STORAGE_PROVIDER ?? "s3";
  const isAmazon = /(^|\.)amazonaws\.com(\.cn)?$/i.test(S3_ENDPOINT.hostname);
  const privateBucket = values.S3_PRIVATE_BUCKET_NAME ?? S3_BUCKET_NAME;
  const publicUrl = values.S3_PUBLIC_URL ?? null;
  return {
    storage: {
      enabled: true,
      provider,
      endpoint: S3_ENDPOINT,
      region: values.S3_REGION ?? (provider === "r2" ? "auto" : "us-east-1"),
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      bucket: S3_BUCKET_NAME,
      privateBucket,
      publicUrl,
      forcePathStyle: values.S3_FORCE_PATH_STYLE ?? !isAmazon,
    },
    warnings:
      publicUrl && privateBucket === S3_BUCKET_NAME
        ? [
            "S3_PUBLIC_URL exposes the bucket that private files lie in: set S3_PRIVATE_BUCKET_NAME to another one",
          ]
        : [],
  };
}
