import { expect, test } from "vitest";
import {
  createTotpSecret,
  findCodeStep,
  isTotpCode,
  totpUri,
} from "~/services/auth/totp-code.server";

/** RFC 6238, appendix B: the ASCII text 12345678901234567890. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %i the code of RFC 6238 is right, and names its step", (epochSeconds, code) => {
  const step = Math.floor(epochSeconds / 30);
  expect(findCodeStep({ secret: RFC_SECRET, code, epochSeconds })).toBe(step);
  expect(findCodeStep({ secret: RFC_SECRET, code, epochSeconds: epochSeconds + 0.9 })).toBe(step);
});

test("a code is right one step early and late, with its own step, and no further away", () => {
  const at = (epochSeconds: number) =>
    findCodeStep({ secret: RFC_SECRET, code: "050471", epochSeconds });
  const step = Math.floor(1_111_111_111 / 30);
  const began = step * 30;
  expect([at(began - 30), at(began + 59)]).toEqual([step, step]);
  expect([at(began - 31), at(began + 60)]).toEqual([null, null]);
});

test.each(["", "05047", "0504711", "abcdef", "٠٥٠٤٧١", "-50471", "7KQM-2F9D-X0RA-HT3C"])(
  "%j is no code of an app",
  (code) => {
    expect(isTotpCode(code)).toBe(false);
    expect(findCodeStep({ secret: RFC_SECRET, code, epochSeconds: 1_111_111_111 })).toBe(null);
  },
);

test("spaces in a code don't matter", () => {
  const code = " 050 471 ";
  expect(findCodeStep({ secret: RFC_SECRET, code, epochSeconds: 1_111_111_111 })).not.toBe(null);
});

test("secrets have 160 bits, and none is made twice", () => {
  const secrets = Array.from({ length: 50 }, createTotpSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

test("the address for the app escapes the account's name", () => {
  const uri = totpUri({ secret: RFC_SECRET, issuer: "A & B", account: "a+b@example.com" });
  expect(uri).toBe(
    `otpauth://totp/A%20%26%20B:a%2Bb%40example.com?secret=${RFC_SECRET}&issuer=A%20%26%20B`,
  );
});
