import { expect, test } from "vitest";
import { createKeyText, isKeyText, shownPart } from "./api-key-text.server";

test("a key has its mode, 26 characters for 128 bits and 7 for a checksum, and is never made twice", () => {
  const keys = Array.from({ length: 1_000 }, () => createKeyText("live"));
  for (const key of keys)
    expect(key).toMatch(/^rcs_live_[0-7][0-9a-hjkmnp-tv-z]{25}[0-3][0-9a-hjkmnp-tv-z]{6}$/);
  expect(new Set(keys).size).toBe(keys.length);
  expect(createKeyText("test")).toMatch(/^rcs_test_/);
  expect(shownPart(keys[0] ?? "")).toMatch(/^rcs_live_...$/);
});

test("the checksum is the CRC-32 of all that stands before it", () => {
  // From `printf rcs_live_00000000000000000000000000 | gzip -c | tail -c8 | od -tu4`, written to the base of 32.
  expect(isKeyText(`rcs_live_${"0".repeat(26)}033gkmw`)).toBe(true);
});

test("each change of one character is found, as is each text of another form", () => {
  const key = createKeyText("live");
  for (let at = 0; at < key.length; at += 1) {
    const other = key[at] === "7" ? "8" : "7";
    expect(isKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  for (const text of ["", key.toUpperCase(), ` ${key}`, `${key}\n`, key.slice(1), `${key}0`])
    expect(isKeyText(text)).toBe(false);
});
