import { S3Client } from "@aws-sdk/client-s3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { storeOrigins } from "~/services/storage/store-origins.server";

const storage = {
  enabled: true,
  provider: "s3",
  endpoint: new URL("https://s3.example.com/"),
  region: "us-east-1",
  accessKeyId: "id",
  secretAccessKey: "secret",
  bucket: "open",
  privateBucket: "closed",
  publicUrl: null,
  forcePathStyle: true,
} as const;

test("with path style every bucket is on the endpoint's host", () => {
  expect(storeOrigins(storage)).toEqual(["https://s3.example.com"]);
});

test("without path style each bucket has its own host, as at Amazon", () => {
  expect(storeOrigins({ ...storage, forcePathStyle: false })).toEqual([
    "https://open.s3.example.com",
    "https://closed.s3.example.com",
  ]);
  const oneBucket = { ...storage, forcePathStyle: false, privateBucket: "open" };
  expect(storeOrigins(oneBucket)).toEqual(["https://open.s3.example.com"]);
});

test("the origins are those that the SDK calls, whatever the store and its bucket are called", () => {
  const hosts = [
    "https://s3.example.com",
    "http://localhost:9000",
    "http://127.0.0.1:9000",
    "https://[::1]",
  ];
  const name = fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,66}$/);
  fc.assert(
    fc.property(fc.constantFrom(...hosts), name, fc.boolean(), (host, bucket, forcePathStyle) => {
      const endpoint = new URL(host);
      const settings = { ...storage, endpoint, bucket, privateBucket: bucket, forcePathStyle };
      const { config } = new S3Client({ endpoint: host, region: "us-east-1", forcePathStyle });
      const { url } = config.endpointProvider({
        Bucket: bucket,
        Endpoint: host,
        ForcePathStyle: forcePathStyle,
        Region: "us-east-1",
      });
      expect(storeOrigins(settings)).toEqual([url.origin]);
    }),
    {
      examples: [
        [hosts[0] ?? "", "my.bucket", false],
        [hosts[0] ?? "", "bucket", false],
      ],
    },
  );
});

test("the public base adds an origin; without storage there are none", () => {
  const publicUrl = new URL("https://cdn.example.com/files/");
  expect(storeOrigins({ ...storage, publicUrl })).toContain("https://cdn.example.com");
  expect(storeOrigins({ enabled: false })).toEqual([]);
});
