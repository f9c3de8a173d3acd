import { amountOf, CURRENCY, type Pack, slotOf } from "~/catalog";
import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { CheckoutCompleted } from "~/services/payments/billing-event";

/**
 * Why a completed checkout is not the sale of this pack, in a sentence for the operator; null where it
 * is. Its metadata alone is no proof: whoever may make checkouts at the provider can write the same.
 *
 * The price before discounts and taxes is compared, so that a promotion code of 100 % passes. More
 * than the catalog's amount passes, too: the catalog may have become cheaper since. Another currency
 * cannot be compared, and does not pass. Only Creem's event names the product.
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
