import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createRecoveryCodes, hashRecoveryCode } from "~/services/auth/recovery-code.server";

const CODE = "7KQM-2F9D-X0RA-HT3C-9WZE-4B6P";
const EARLIER_CODE = "7KQM-2F9D-X0RA-HT3C";
const hex = (hash: Uint8Array | null) => hash && Buffer.from(hash).toString("hex");
const hashed = (code: string, userId = "user") => hex(hashRecoveryCode(userId, code));

test("there are ten codes of 120 bits, in groups of four, and none is made twice", () => {
  const codes = Array.from({ length: 20 }, createRecoveryCodes).flat();
  expect(new Set(codes).size).toBe(200);
  // 24 characters of 5 bits each.
  for (const code of codes)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
});

test.each([
  CODE.toLowerCase(),
  CODE.replaceAll("-", ""),
  ` ${CODE.replaceAll("-", " ")} `,
  "7KQM-2F9D-XORA-HT3C-9WZE-4B6P",
])("%j is the same code", (typed) => expect(hashed(typed)).toBe(hashed(CODE)));

test.each(["", "123456", CODE.slice(1), `${CODE}0`])("%j cannot be a code", (typed) => {
  expect(hashed(typed)).toBe(null);
});

test("a code of 16 characters, as they were made before, still has the hash that it was stored under", () => {
  expect(hashed(EARLIER_CODE)).toBe(
    createHash("sha256").update("recovery code user 7KQM2F9DX0RAHT3C").digest("hex"),
  );
  expect(hashed(EARLIER_CODE.toLowerCase())).toBe(hashed(EARLIER_CODE));
});

test("a code of one account has another hash in another account", () => {
  expect(hashed(CODE, "other")).not.toBe(hashed(CODE));
});
