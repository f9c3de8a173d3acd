import fc from "fast-check";
import { expect, test } from "vitest";
import { PACK } from "#tests/fixtures/sold";
import { amountOf, PACKS } from "~/catalog";
import {
  listTopUpFaults,
  readMonthlyAmount,
  topUpSchema,
  writeMonthlyAmount,
  writeShown,
} from "~/services/payments/top-up-form";

test("an amount that the page writes is read as the same, with a point or a comma", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), (amount) => {
      const text = writeMonthlyAmount(amount);
      const fields = { threshold: 1, skuKey: PACK.skuKey, monthlyAmount: text };
      expect(topUpSchema.safeParse(fields).success).toBe(true);
      expect(readMonthlyAmount(text)).toBe(amount);
      expect(readMonthlyAmount(text.replace(".", ","))).toBe(amount);
    }),
  );
});

test("the mark is below what the pack brings, and the maximum pays for one", () => {
  const price = amountOf({ type: "pack", skuKey: PACK.skuKey });
  const faults = (threshold: number, amount: number) =>
    Object.keys(
      listTopUpFaults({
        threshold,
        skuKey: PACK.skuKey,
        monthlyAmount: writeMonthlyAmount(amount),
        shown: writeShown(PACKS),
      }),
    );
  expect(faults(PACK.credits - 1, price)).toEqual([]);
  expect(faults(PACK.credits, price)).toEqual(["threshold"]);
  expect(faults(1, price - 1)).toEqual(["monthlyAmount"]);
});

test("a pack that the page showed at another price, with other credits, or not at all, isn't agreed to", () => {
  const { skuKey, credits, amount } = PACK;
  const fields = { skuKey, threshold: 1, monthlyAmount: writeMonthlyAmount(amount) };
  const faults = (shown: string) => listTopUpFaults({ ...fields, shown });
  expect(faults(writeShown([PACK]))).toEqual({});
  for (const other of [{ credits: credits + 1 }, { amount: amount - 1 }])
    expect(faults(writeShown([{ ...PACK, ...other }]))).toEqual({
      skuKey: ["validation.topUpChanged"],
    });
  expect(faults("")).toEqual({ skuKey: ["validation.topUpChanged"] });
});
