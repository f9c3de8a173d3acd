import { expect, test } from "vitest";
import { openText, sealText } from "~/utils/secret-box.server";

const BINDING = { secret: "a".repeat(32), use: "totp secret", ownerId: "user-1" };

test("a sealed text is opened by its owner and use, and sealing it twice gives two boxes", () => {
  const [first, second] = [sealText("secret", BINDING), sealText("secret", BINDING)];
  expect(openText(first, BINDING)).toBe("secret");
  expect(Buffer.from(first).equals(second)).toBe(false);
  expect(Buffer.from(first).includes("secret")).toBe(false);
});

test("a box doesn't open under another secret, owner or use", () => {
  const box = sealText("secret", BINDING);
  expect(openText(box, { ...BINDING, ownerId: "user-2" })).toBe(null);
  expect(openText(box, { ...BINDING, use: "other" })).toBe(null);
  expect(openText(box, { ...BINDING, secret: "b".repeat(32) })).toBe(null);
});

test("a box with any bit changed doesn't open", () => {
  const box = sealText("secret", BINDING);
  for (let at = 0; at < box.length; at++) {
    const changed = box.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openText(changed, BINDING)).toBe(null);
  }
  expect(openText(box.subarray(0, 20), BINDING)).toBe(null);
  expect(openText(new Uint8Array(), BINDING)).toBe(null);
});
