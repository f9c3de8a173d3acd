import { expect, test } from "vitest";
import { nonceSource } from "./nonces.server";

test("no two nonces are alike, and each has 128 bits", () => {
  const createNonce = nonceSource();
  const nonces = Array.from({ length: 1_000 }, createNonce);
  expect(new Set(nonces).size).toBe(1_000);
  for (const nonce of nonces) expect(Buffer.from(nonce, "base64")).toHaveLength(16);
});

test("two sources never share a nonce", () => {
  const [first, second] = [nonceSource(), nonceSource()];
  expect(first()).not.toBe(second());
});
