import { expect, test } from "vitest";
import { CATALOG_ITEMS } from "~/catalog";
import { listOffers } from "~/models/billing/checkouts/offers";
import { structuredOffers } from "~/server/site/structured-offers.server";

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
      price: expect.stringMatching(/^\d+\.\d\d$/),
      priceCurrency: "USD",
      url: "https://shop.test/en/pricing",
    });
  }
});

test("an item without a price isn't offered", () => {
  const onlySmall = listOffers((slot) => slot === "credits_small");
  const described = structuredOffers(onlySmall, PAGE);
  expect(described).toMatchObject({ offers: [{ name: "100 credits", price: "5.00" }] });
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
