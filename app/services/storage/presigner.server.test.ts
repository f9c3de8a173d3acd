import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPresigner } from "~/services/storage/presigner.server";

const clientOf = (endpoint: string, region: string, forcePathStyle: boolean) =>
  new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId: "id", secretAccessKey: "secret" },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });

const CLIENTS = {
  "path style on a port": clientOf("http://127.0.0.1:9000", "us-east-1", true),
  "path style below a path": clientOf("https://store.example.com/s3", "eu-west-1", true),
  "Amazon, bucket in the host": clientOf("https://s3.eu-west-1.amazonaws.com", "eu-west-1", false),
  "R2, region auto": clientOf("https://account.r2.cloudflarestorage.com", "auto", false),
  "a region that signs as another": clientOf("https://s3.amazonaws.com", "aws-global", false),
};

const keys = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join("/"));
// A name with dots can't be part of a host under TLS.
const buckets = fc.constantFrom("files", "files.example.com");
const types = fc.constantFrom("image/png", "image/svg+xml", "application/pdf");
const dates = fc.date({
  min: new Date("2020-01-01"),
  max: new Date("2040-01-01"),
  noInvalidDate: true,
});

test.each(Object.entries(CLIENTS))(
  "a URL is the one that the SDK signs: %s",
  async (_name, client) => {
    const presign = createPresigner(client);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          bucket: buckets,
          key: keys,
          type: types,
          length: fc.nat(),
          signingDate: dates,
        }),
        async ({ bucket, key, type, length, signingDate }) => {
          const object = { Bucket: bucket, Key: key };
          const expiresIn = 300;
          expect(
            await presign({
              method: "PUT",
              bucket,
              key,
              query: { "x-id": "PutObject" },
              headers: { "content-type": type, "content-length": String(length) },
              expiresIn,
              signingDate,
            }),
          ).toBe(
            await getSignedUrl(
              client,
              new PutObjectCommand({ ...object, ContentType: type, ContentLength: length }),
              {
                expiresIn,
                signingDate,
                signableHeaders: new Set(["host", "content-type", "content-length"]),
              },
            ),
          );
          const disposition = `attachment; filename="${length}.png"`;
          expect(
            await presign({
              method: "GET",
              bucket,
              key,
              query: {
                "response-content-disposition": disposition,
                "response-content-type": type,
                "x-id": "GetObject",
              },
              headers: {},
              expiresIn,
              signingDate,
            }),
          ).toBe(
            await getSignedUrl(
              client,
              new GetObjectCommand({
                ...object,
                ResponseContentDisposition: disposition,
                ResponseContentType: type,
              }),
              { expiresIn, signingDate },
            ),
          );
        },
      ),
      { numRuns: 50 },
    );
  },
);
