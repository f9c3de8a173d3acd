import { expect, test } from "vitest";
import {
  HAS_TWO_PACKS,
  LAST_PACK,
  OTHER_CURRENCY,
  PACK,
  productVariable,
} from "#tests/fixtures/sold";
import { CURRENCY } from "~/catalog";
import { describePackMismatch } from "~/models/billing/orders/pack-match.server";
import { formatAmount } from "~/utils/money";
import { setUpBillingEnv } from "../../../../tests/helpers/billing";

setUpBillingEnv({ [productVariable(PACK.skuKey)]: "prod_own" });

const of = (amount: number, currency: string = CURRENCY) => ({ amount, currency });

const written = (amount: number) => formatAmount({ amount, currency: CURRENCY });

test.each([
  ["the catalog's price", of(500)],
  ["more: the catalog may have become cheaper", of(700)],
  ["another currency, which cannot be compared", of(1, OTHER_CURRENCY)],
])("%s passes", (_what, listed) => {
  expect(describePackMismatch("stripe", { listed, productId: null }, PACK)).toBeNull();
});

test.each([
  ["less than the catalog's price", of(499), `it has ${written(499)}`],
  ["no price", null, "it has no price"],
])(
  "%s does not pass, and the message names the expected and actual values",
  (_what, listed, got) => {
    const mismatch = describePackMismatch("stripe", { listed, productId: null }, PACK);
    expect(mismatch).toContain(`${PACK.skuKey} costs ${written(500)} before discounts`);
    expect(mismatch).toContain(got);
  },
);

test("at Creem the product must be the pack's own", () => {
  const match = (productId: string | null) =>
    describePackMismatch("creem", { listed: of(500), productId }, PACK);
  expect(match("prod_own")).toBeNull();
  expect(match("prod_other")).toBe(
    `${PACK.skuKey} is the product prod_own, and it sold prod_other`,
  );
  expect(match(null)).toContain("an unnamed product");
});

test.runIf(HAS_TWO_PACKS)("where no product is configured, Creem's price alone decides", () => {
  const match = (amount: number) =>
    describePackMismatch("creem", { listed: of(amount), productId: "prod_unknown" }, LAST_PACK);
  expect(match(5900)).toBeNull();
  expect(match(5899)).toContain(`it has ${written(5899)}`);
});
