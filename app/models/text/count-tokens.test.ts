import fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters } from "~/models/metering/growing/grow.server";
import { measureTokens, quarterOf, reservedInput } from "~/models/text/count-tokens";

const texts = fc.string({ unit: "binary", maxLength: 300 });

test.each<[string, string, number]>([
  ["nothing", "", 0],
  ["one letter", "a", 1],
  ["three letters", "abc", 1],
  ["four letters", "abcd", 2],
  ["three of two bytes", "äöü", 2],
  ["a character of three bytes", "字", 1],
  ["one of four bytes", "😀", 4],
  ["one of four bytes among letters", "ab😀c", 5],
])("the reserve for %s", (_what, prompt, tokens) => {
  expect(reservedInput(prompt)).toBe(tokens);
});

test("the reserve is by the bytes, in any order, and covers the count without a report", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const both = reservedInput(one + other);
      expect(reservedInput([...one].reverse().join(""))).toBe(reservedInput(one));
      expect(both).toBeGreaterThanOrEqual(reservedInput(one));
      expect(both).toBeLessThanOrEqual(reservedInput(one) + reservedInput(other) + 1);
      const bytes = Buffer.byteLength(one);
      expect(reservedInput(one)).toBeGreaterThanOrEqual(Math.ceil(bytes / 3));
      expect(reservedInput(one)).toBeLessThanOrEqual(bytes);
      expect(quarterOf(countCharacters(one))).toBeLessThanOrEqual(reservedInput(one));
    }),
  );
});

test("without a report a text counts the smaller of its pieces and a quarter of its characters", () => {
  const { output } = measureTokens("");
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(400_000), (pieces, characters) => {
      const { least, most } = output(pieces, characters);
      expect([least, most].sort((one, other) => one - other)).toEqual([least, most]);
      expect([least, most].sort()).toEqual([pieces, Math.ceil(characters / 4)].sort());
      expect(output(pieces + 1, characters + 4).least).toBe(least + 1);
    }),
  );
});
