import { expect, test } from "vitest";
import { PACK } from "#tests/fixtures/sold";
import { CATALOG_ITEMS, CURRENCY } from "~/catalog";
import { listOffers } from "~/models/billing/checkouts/offers";
import { structuredOffers } from "~/server/site/structured-offers.server";
import { formatAmount } from "~/utils/money";

const PAGE = { locale: "en", siteOrigin: "https://shop.test" } as const;

test("every price on sale is an offer with its amount, currency and page", () => {
  const described = structuredOffers(
    listOffers(() => true),
    PAGE,
  ) as { offers: Record<string, unknown>[] };
  expect(described.offers).toHaveLength(CATALOG_ITEMS.length);
  for (const offer of described.offers) {
    expect(offer).toMatchObject({
      "@type": "Offer",
      name: expect.stringMatching(/./),
      price: expect.stringMatching(/^\d+(\.\d+)?$/),
      priceCurrency: CURRENCY.toUpperCase(),
      url: "https://shop.test/en/pricing",
    });
  }
});

test("an item without a price isn't offered", () => {
  const { skuKey, credits, amount } = PACK;
  const onlyOne = listOffers((slot) => slot === skuKey);
  const [price] = formatAmount({ amount, currency: CURRENCY }).split(" ");
  expect(structuredOffers(onlyOne, PAGE)).toMatchObject({
    offers: [{ name: `${credits.toLocaleString("en")} credits`, price }],
  });
});

test("nothing is described while nothing is for sale", () => {
  expect(structuredOffers(null, PAGE)).toBeNull();
  expect(
    structuredOffers(
      listOffers(() => false),
      PAGE,
    ),
  ).toBeNull();
});
