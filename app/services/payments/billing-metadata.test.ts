import { expect, test } from "vitest";
import { PLAN_READ, SITE, USER_ID } from "#tests/fixtures/payments";
import { PACK } from "#tests/fixtures/sold";
import { itemOf, PRICE_SLOTS } from "~/catalog";
import { readMetadata, writeMetadata } from "~/services/payments/billing-metadata";

test.each(PRICE_SLOTS)("metadata written for %s can be read back", (slot) => {
  const item = itemOf(slot);
  expect(readMetadata(writeMetadata({ userId: USER_ID, site: SITE }, item))).toEqual({
    userId: USER_ID,
    site: SITE,
    skuKey: item.type === "pack" ? item.skuKey : null,
    planKey: item.type === "plan" ? item.planKey : null,
    period: item.type === "plan" ? item.period : null,
  });
});

test("keys missing from the catalog are kept: they must fail, not be taken for another seller's", () => {
  expect(readMetadata({ user_id: USER_ID, plan_key: "gone", period: "week" })).toEqual({
    ...PLAN_READ,
    site: null,
    planKey: "gone",
    period: "week",
  });
});

test.each([
  null,
  undefined,
  "text",
  [],
  {},
  { user_id: USER_ID },
  { sku_key: PACK.skuKey },
  { user_id: "user_42", sku_key: PACK.skuKey },
  { user_id: 42, sku_key: PACK.skuKey },
  { user_id: USER_ID, sku_key: 42 },
])("%j was not made by us", (metadata) => {
  expect(readMetadata(metadata)).toBeNull();
});
