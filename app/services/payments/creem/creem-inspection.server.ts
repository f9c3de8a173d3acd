import { z } from "zod";
import { createCreemClient } from "~/services/payments/creem/creem-client.server";
import type {
  OfferedPrice,
  ProviderInspection,
} from "~/services/payments/provider-inspection.server";

const product = z.object({
  price: z.int(),
  currency: z.string(),
  billing_type: z.string(),
  billing_period: z.string().nullish(),
  status: z.string().nullish(),
});

/** Inspects a Creem account. Creem's API shows neither webhook endpoints nor the portal's settings. */
export function inspectCreem(settings: { apiKey: string; apiBase: string }): ProviderInspection {
  const creem = createCreemClient(settings);
  return {
    async findPrice(id) {
      const found = await creem.get(`/products?product_id=${encodeURIComponent(id)}`, product);
      return found && readProduct(found);
    },
    listWebhookEndpoints: null,
    findPortal: null,
    // Creem sells in its own name and always settles the tax.
    isTaxActive: null,
  };
}

const INTERVALS: Record<string, OfferedPrice["interval"]> = {
  "every-month": "month",
  "every-year": "year",
};

function readProduct({ price, currency, ...rest }: z.output<typeof product>): OfferedPrice {
  return {
    amount: price,
    currency: currency.toLowerCase(),
    interval:
      rest.billing_type === "onetime" ? null : (INTERVALS[rest.billing_period ?? ""] ?? "other"),
    active: rest.status !== "archived",
  };
}
