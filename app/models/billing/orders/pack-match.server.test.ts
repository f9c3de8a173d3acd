import { expect, test } from "vitest";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
import { setUpBillingEnv } from "../../../../tests/helpers/billing";

setUpBillingEnv({ PROVIDER_B_PRODUCT_CREDITS_SMALL: "prod_small" });

const SMALL = { skuKey: "credits_small" } as const;
const of = (amount: number, currency = "usd") => ({ amount, currency });

test.each([
  ["the catalog's price", of(500)],
  ["more: the catalog may have become cheaper", of(700)],
  ["another currency, which cannot be compared", of(90_000, "vnd")],
])("%s passes", (_what, listed) => {
  expect(describePackMismatch("stripe", { listed, productId: null }, SMALL)).toBeNull();
});

test.each([
  ["less than the catalog's price", of(499), "it has 4.99 usd"],
  ["no price", null, "it has no price"],
])(
  "%s does not pass, and the message names the expected and actual values",
  (_what, listed, got) => {
    const mismatch = describePackMismatch("stripe", { listed, productId: null }, SMALL);
    expect(mismatch).toContain("credits_small costs 5.00 usd before discounts");
    expect(mismatch).toContain(got);
  },
);

test("at Creem the product must be the pack's own", () => {
  const match = (productId: string | null) =>
    describePackMismatch("creem", { listed: of(500), productId }, SMALL);
  expect(match("prod_small")).toBeNull();
  expect(match("prod_other")).toBe(
    "credits_small is the product prod_small, and it sold prod_other",
  );
  expect(match(null)).toContain("an unnamed product");
});

test("where no product is configured, Creem's price alone decides", () => {
  const match = (amount: number) =>
    describePackMismatch(
      "creem",
      { listed: of(amount), productId: "prod_medium" },
      { skuKey: "credits_medium" },
    );
  expect(match(1900)).toBeNull();
  expect(match(1899)).toContain("it has 18.99 usd");
});
