import { amountOf, CURRENCY, type Pack, slotOf } from "~/catalog";
import { PAYMENT_PROVIDERS, type PaymentProviderName, pricesOf } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { CheckoutCompleted } from "~/services/payments/billing-event";
import { log } from "~/utils/logger.server";
import { formatAmount } from "~/utils/money";

/**
 * Explains to the operator why a completed checkout isn't the sale of this pack; null if it is. The
 * metadata alone proves nothing: anyone who can create checkouts at the provider can write the same.
 *
 * The price before discounts and taxes is compared, so that a promotion code of 100 % passes. More
 * than the catalog's amount passes too: the catalog may have become cheaper since. An amount in
 * another currency cannot be compared and passes with a warning. Only Creem's event names the product,
 * which is compared where one is configured.
 */
export function describePackMismatch(
  provider: PaymentProviderName,
  event: Pick<CheckoutCompleted, "listed" | "productId">,
  { skuKey }: Pick<Pack, "skuKey">,
): string | null {
  const item = { type: "pack", skuKey } as const;
  const product = pricesOf(provider, getEnv().payments)[slotOf(item)];
  if (PAYMENT_PROVIDERS[provider].namesPackPrice && product && event.productId !== product)
    return `${skuKey} is the product ${product}, and it sold ${event.productId ?? "an unnamed product"}`;
  const amount = amountOf(item);
  const { listed } = event;
  if (listed && listed.currency !== CURRENCY) {
    log().warn({ provider, skuKey, ...listed }, "a pack was sold in another currency");
    return null;
  }
  if (listed && listed.amount >= amount) return null;
  const wanted = formatAmount({ amount, currency: CURRENCY });
  const got = listed ? formatAmount(listed) : "no price";
  return `${skuKey} costs ${wanted} before discounts, and it has ${got}`;
}
