import fc from "fast-check";
import { expect, test } from "vitest";
import { ACTIONS, creditsFor } from "~/catalog";
import {
  countCharacters,
  countedOutput,
  firstSlice,
  nextSlice,
  quarterOf,
  reservedInput,
} from "~/models/text/count-tokens";

const { mostUnits } = ACTIONS.text;
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
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(400_000), (pieces, characters) => {
      const tokens = countedOutput(pieces, characters);
      expect(tokens).toBeLessThanOrEqual(pieces);
      expect(tokens).toBeLessThan(characters / 4 + 1);
      expect([pieces, Math.ceil(characters / 4)]).toContain(tokens);
      expect(countedOutput(pieces + 1, characters + 4)).toBe(tokens + 1);
    }),
  );
});

test("the first slice pays for the prompt and a token, and a credit less doesn't", () => {
  fc.assert(
    fc.property(fc.nat(mostUnits - 2), (input) => {
      const units = firstSlice(input);
      expect(units).toBeGreaterThan(input);
      expect(units).toBeLessThanOrEqual(mostUnits);
      expect(creditsFor("text", units)).toBe(creditsFor("text", input + 1));
    }),
  );
});

test("a slice costs one credit and is used whole, up to the most units of a run", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: mostUnits }), (input) => {
      const units = nextSlice(input);
      if (units === mostUnits) return;
      expect(creditsFor("text", units)).toBe(creditsFor("text", input) + 1);
      expect(creditsFor("text", units + 1)).toBe(creditsFor("text", units) + 1);
    }),
  );
  expect(nextSlice(mostUnits)).toBe(mostUnits);
});
