import { expect, test } from "vitest";
import { PACKS, PERIODS, PLANS } from "~/catalog";
import type { WantedItem } from "~/services/payments/checkout-request";
import { readWantedItem, wantedItemPath } from "~/services/payments/wanted-item";

const items: WantedItem[] = [
  ...PACKS.map(({ skuKey }) => ({ intent: "pack" as const, skuKey })),
  ...PLANS.flatMap(({ planKey }) =>
    PERIODS.map((period) => ({ intent: "plan" as const, planKey, period })),
  ),
];

test("every item of the catalog is read back from the address of its page", () => {
  for (const item of items) expect(readWantedItem(wantedItemPath("en", item))).toEqual(item);
});

test.each([
  undefined,
  "/en/account",
  "/en/checkout/start",
  "/en/checkout/start?intent=plan&planKey=x",
  "/en/checkout/start?intent=plan&planKey=x&period=week",
  "/en/x/checkout/start?intent=pack&skuKey=x",
  "//evil.example/en/checkout/start?intent=pack&skuKey=x",
])("%s leads to no item", (path) => {
  expect(readWantedItem(path)).toBeNull();
});
