import fc from "fast-check";
import { expect, test } from "vitest";
import { creditsAt } from "~/catalog";
import { grow } from "~/models/metering/growing/grow.server";
import type { Measure, Usage } from "~/models/metering/growing/growing-action";
import { nextSlice, type Sold } from "~/models/metering/growing/slices";
import type { Piece, TextEnd } from "~/services/language-model/language-model";

/** Any price that a catalog may have; a unit may cost a part of a credit, or several. */
const sold: fc.Arbitrary<Sold> = fc
  .record({
    credits: fc.integer({ min: 1, max: 50 }),
    per: fc.integer({ min: 1, max: 50 }),
    more: fc.nat(20),
    mostUnits: fc.integer({ min: 1, max: 2_000 }),
  })
  .map(({ credits, per, more, mostUnits }) => ({
    price: { credits, per, least: 1 + more },
    mostUnits,
  }));

test("a slice pays for a unit more, with not a credit more than that costs, and is used whole", () => {
  fc.assert(
    fc.property(sold, fc.nat(3_000), (entry, units) => {
      const { price, mostUnits } = entry;
      const next = nextSlice(entry, units);
      expect(next > units).toBe(units < mostUnits);
      if (units >= mostUnits) return;
      expect(creditsAt(price, next)).toBe(creditsAt(price, units + 1));
      expect(next === mostUnits || creditsAt(price, next + 1) > creditsAt(price, next)).toBe(true);
    }),
  );
});

/** One unit per piece, and what an unreported piece may hold beside it. */
const measureOf = (input: number, spread: number): Measure => ({
  limit: null,
  input: { least: input, most: input + spread },
  output: (pieces) => ({ least: pieces, most: pieces + spread }),
  usage: (before, output) => ({ input: before, output }),
});

async function* pieces(count: number): AsyncGenerator<Piece, TextEnd<Usage>> {
  for (let nth = 0; nth < count; nth += 1) yield { text: "x", isHidden: false };
  return { status: "stop", usage: null };
}

test("at any price a result ends by itself, or where no credit is left that pays for a unit more", () =>
  fc.assert(
    fc.asyncProperty(
      sold,
      fc.record({
        input: fc.nat(20),
        spread: fc.nat(10),
        length: fc.integer({ min: 1, max: 300 }),
      }),
      fc.nat(400),
      async (entry, { input, spread, length }, more) => {
        const { price, mostUnits } = entry;
        const first = nextSlice(entry, input + spread);
        fc.pre(first > input + spread);
        let reserved = creditsAt(price, first);
        let left = more;
        const grown = await grow({
          sold: entry,
          measure: measureOf(input, spread),
          units: first,
          ms: 60_000,
          signal: new AbortController().signal,
          onText: () => undefined,
          ask: () => pieces(length),
          async extend(units) {
            const cost = creditsAt(price, units) - reserved;
            if (cost > left) return "insufficient";
            left -= cost;
            reserved += cost;
            return "extended";
          },
        });
        if ("error" in grown) throw new Error(grown.error);
        const used = input + grown.text.length;
        const charge = creditsAt(price, used);
        expect(charge).toBeLessThanOrEqual(reserved);
        if (grown.finishReason === "stop") expect(grown.text).toHaveLength(length);
        else if (grown.finishReason === "length") expect(used).toBe(mostUnits);
        else {
          expect(grown.finishReason).toBe("credits");
          // All that is reserved is used, and what is left pays for no further unit.
          expect(charge).toBe(reserved);
          expect(creditsAt(price, used + 1)).toBeGreaterThan(reserved + left);
        }
      },
    ),
  ));
