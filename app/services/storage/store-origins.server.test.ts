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

test("the public base adds an origin; without storage there are none", () => {
  const publicUrl = new URL("https://cdn.example.com/files/");
  expect(storeOrigins({ ...storage, publicUrl })).toContain("https://cdn.example.com");
  expect(storeOrigins({ enabled: false })).toEqual([]);
});
