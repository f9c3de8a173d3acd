import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { type Env, getEnv } from "~/env.server";
import { holdToStore } from "~/services/outgoing/store-door.server";
import type { ObjectRef, ObjectStore } from "~/services/storage/object-store.server";
import { createPresigner } from "~/services/storage/presigner.server";
import { encodeRfc3986 } from "~/utils/rfc3986";
import { withoutTrailingSlashes } from "~/utils/trailing-slashes";

type StorageSettings = Extract<Env["storage"], { enabled: true }>;

let store: ObjectStore | undefined;

/** The configured store, or null while storage is off. One client per process. */
export function getObjectStore(): ObjectStore | null {
  const { storage } = getEnv();
  if (!storage.enabled) return null;
  store ??= createS3Store(storage);
  return store;
}

/** An ObjectStore over the S3 protocol, for all three values of `STORAGE_PROVIDER`. */
export function createS3Store(settings: StorageSettings): ObjectStore {
  const client = new S3Client({
    endpoint: settings.endpoint.href,
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    credentials: {
      accessKeyId: settings.accessKeyId,
      secretAccessKey: settings.secretAccessKey,
    },
    // Otherwise a presigned PUT carries the CRC32 of an empty body, which stores refuse.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    // Otherwise AWS_DEFAULTS_MODE=auto has the SDK ask the machine's metadata service.
    defaultsMode: "legacy",
    // Without the last option the SDK only warns, and a store that never responds holds a request
    // forever.
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 15_000,
      throwOnRequestTimeout: true,
    },
  });
  holdToStore(client);
  const presign = createPresigner(client);
  const location = ({ key, access }: ObjectRef) => ({
    bucket: access === "public" ? settings.bucket : settings.privateBucket,
    key,
  });
  const target = (object: ObjectRef) => {
    const { bucket, key } = location(object);
    return { Bucket: bucket, Key: key };
  };

  return {
    presignPut: ({ contentType, contentLength, expiresIn, ...object }) =>
      presign({
        method: "PUT",
        ...location(object),
        query: { "x-id": "PutObject" },
        headers: { "content-type": contentType, "content-length": String(contentLength) },
        expiresIn,
      }),

    presignGet: ({ filename, contentType, expiresIn, ...object }) =>
      presign({
        method: "GET",
        ...location(object),
        query: {
          "response-content-disposition": attachment(filename),
          "response-content-type": contentType,
          "x-id": "GetObject",
        },
        headers: {},
        expiresIn,
      }),

    publicUrl: (key) => `${publicBase(settings)}/${key}`,

    async head({ signal, ...object }) {
      try {
        const command = new HeadObjectCommand(target(object));
        const head = await client.send(command, { abortSignal: signal });
        const { ContentLength: size, ContentType: contentType = null, ETag: etag } = head;
        if (size === undefined || !etag) throw new Error("the store returned no length or ETag");
        const isAttachment = head.ContentDisposition?.startsWith("attachment") ?? false;
        return { size, contentType, isAttachment, etag };
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },

    async readStart({ etag, length, signal, ...object }) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({
            ...target(object),
            IfMatch: etag ?? undefined,
            Range: `bytes=0-${length - 1}`,
          }),
          { abortSignal: signal },
        );
        return (await Body?.transformToByteArray()) ?? null;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404 || status === 412) return null;
        throw error;
      }
    },

    async put({ contentType, contentLength, body, ...object }) {
      await client.send(
        new PutObjectCommand({
          ...target(object),
          ContentType: contentType,
          ContentLength: contentLength,
          Body: body,
        }),
      );
    },

    async copy({ from, to }) {
      const { Bucket, Key } = target(from);
      const CopySource = `${Bucket}/${Key}`;
      await client.send(new CopyObjectCommand({ ...target(to), CopySource }));
    },

    async makeAttachment({ etag, filename, contentType, signal, ...object }) {
      const { Bucket, Key } = target(object);
      try {
        const { CopyObjectResult } = await client.send(
          new CopyObjectCommand({
            Bucket,
            Key,
            CopySource: `${Bucket}/${Key}`,
            // Copies only the version that was checked, in case another was uploaded in the meantime.
            CopySourceIfMatch: etag,
            MetadataDirective: "REPLACE",
            ContentType: contentType,
            ContentDisposition: attachment(filename),
          }),
          { abortSignal: signal },
        );
        if (!CopyObjectResult?.ETag) throw new Error("the store returned no ETag of the copy");
        return CopyObjectResult.ETag;
      } catch (error) {
        const status = statusOf(error);
        if (status === 404 || status === 412) return null;
        throw error;
      }
    },

    async delete(object) {
      await client.send(new DeleteObjectCommand(target(object)));
    },
  };
}

function publicBase({ publicUrl, endpoint, bucket }: StorageSettings): string {
  return withoutTrailingSlashes(
    publicUrl?.href ?? `${withoutTrailingSlashes(endpoint.href)}/${bucket}`,
  );
}

/**
 * RFC 6266: the plain name if it is simple enough; otherwise also the exact name in UTF-8. (s3rver
 * refuses the apostrophes of the second form, so plain names go without it.)
 */
function attachment(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\]/g, "_");
  if (plain === filename) return `attachment; filename="${plain}"`;
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc3986(filename)}`;
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}
