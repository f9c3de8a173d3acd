import {
  startPackCheckout,
  startSubscriptionCheckout,
} from "~/models/billing/checkouts/checkouts.server";
import {
  checkoutResponse,
  limitCheckouts,
  requireCheckoutProvider,
  requirePlanForSale,
  requireSku,
} from "~/server/payments/payments.server";
import type { WantedItem } from "~/services/payments/checkout-request";
import { getPaymentProvider } from "~/services/payments/get-payment-provider.server";

export interface Buyer {
  userId: string;
  email: string;
  emailVerified: boolean;
  locale: string;
}

/**
 * Starts the item's checkout, within the rate limit, and returns the URL of the provider's page.
 * @throws AppError for each refusal of the JSON API
 */
export async function startItemCheckout(item: WantedItem, buyer: Buyer): Promise<string> {
  const { emailVerified, ...request } = { ...buyer, idempotencyKey: null };
  await limitCheckouts(buyer.userId);
  if (item.intent === "pack") {
    const skuKey = requireSku(item.skuKey);
    const provider = requireCheckoutProvider({ emailVerified });
    const result = await startPackCheckout({ ...request, skuKey }, provider);
    return checkoutResponse(result).url;
  }
  const { period } = item;
  const planKey = requirePlanForSale(item.planKey, period);
  const result = await startSubscriptionCheckout(
    { ...request, planKey, period },
    { provider: requireCheckoutProvider({ emailVerified }), providerOf: getPaymentProvider },
  );
  return checkoutResponse(result).url;
}
