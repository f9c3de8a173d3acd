import fc from "fast-check";
import { expect, test } from "vitest";
import { pictureName } from "~/models/images/picture-name";
import { MAX_NAME_LENGTH, UNSAFE_IN_NAME } from "~/services/storage/upload-faults";

test.each([
  ["A harbour, at night", "a-harbour-at-night-1"],
  ["  Fox & hound…  ", "fox-hound-1"],
  ["un café à Montréal", "un-café-à-montréal-1"],
  ["cafe\u0301", "café-1"],
  ["夜晚的港口，灯光倒映在水面", "夜晚的港口-灯光倒映在水面-1"],
  ["ночная гавань", "ночная-гавань-1"],
  ["नमस्ते दुनिया", "नमस्ते-दुनिया-1"],
  ["🦊🌙 fox", "fox-1"],
  ["🦊🌙", "image-1"],
  ["?!… —", "image-1"],
  ["../../etc/passwd", "etc-passwd-1"],
  ["CON\u202Egnp.exe", "con-gnp-exe-1"],
])("%s is named %s", (prompt, name) => {
  expect(pictureName(prompt, 1)).toBe(name);
});

test("a long prompt is cut after a whole word", () => {
  const name = pictureName("a very ".repeat(500), 4);
  expect(name).toMatch(/^(a-very-)+4$|^(a-very-)+a-4$/);
  expect(name.length).toBeLessThan(60);
});

test("a long prompt without spaces is cut between characters", () => {
  expect([...pictureName("漢".repeat(4000), 2)]).toHaveLength(50 + 2);
  expect(pictureName("𠮷".repeat(4000), 1)).toBe(`${"𠮷".repeat(50)}-1`);
});

test("every prompt gives a name that files may have", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (prompt) => {
      const name = `${pictureName(prompt, 1)}.webp`;
      expect(UNSAFE_IN_NAME.test(name)).toBe(false);
      expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
      expect(name).not.toMatch(/^[.-]/);
    }),
  );
});
