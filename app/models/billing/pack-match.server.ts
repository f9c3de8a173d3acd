import { amountOf, CURRENCY, type Pack, slotOf } from "~/catalog";
import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { CheckoutCompleted } from "~/services/payments/billing-event";

/**
 * Explains to the operator, in one sentence, why a completed checkout is not a sale of this pack; null
 * if it is. The metadata alone is no proof: anyone who can create checkouts at the provider can write
 * the same.
 *
 * Compares the price before discounts and taxes, so that a 100 % promotion code passes. More than the
 * catalog's amount also passes, because the catalog may have become cheaper since. Another currency
 * cannot be compared and does not pass. Only Creem's event names the product.
 */
export function describePackMismatch(
  provider: PaymentProviderName,
  event: Pick<CheckoutCompleted, "listed" | "productId">,
  { skuKey }: Pick<Pack, "skuKey">,
): string | null {
  const item = { type: "pack", skuKey } as const;
  const product = getEnv().payments.creem.products[slotOf(item)];
  if (provider === "creem" && event.productId !== product)
    return `${skuKey} is the product ${product ?? "(not set)"}, and it sold ${event.productId ?? "an unnamed product"}`;
  const amount = amountOf(item);
  const { listed } = event;
  if (listed && listed.currency === CURRENCY && listed.amount >= amount) return null;
  const got = listed ? `${listed.amount} ${listed.currency}` : "no price";
  return `${skuKey} costs ${amount} ${CURRENCY} before discounts, in minor units, and it has ${got}`;
}
