import { z } from "zod";
import type { CreemClient } from "~/services/payments/creem/creem-client.server";
import { isoDate, orNull } from "~/services/payments/payload";
import type { PaymentOutlook } from "~/services/payments/payment-outlook";

const RENEWING = ["active", "trialing"];

const renewal = z.object({ status: orNull(z.string()), next_transaction_date: orNull(isoDate) });

/**
 * Reads when a subscription is charged next. Creem's API tells neither the card nor the amount: its
 * product's price lacks tax and discounts. Null if Creem does not have the subscription.
 * @throws AppError 502 provider_error
 */
export async function findCreemOutlook(
  creem: CreemClient,
  { providerSubscriptionId, timeoutMs }: { providerSubscriptionId: string; timeoutMs: number },
): Promise<PaymentOutlook | null> {
  const path = `/subscriptions?subscription_id=${encodeURIComponent(providerSubscriptionId)}`;
  const found = await creem.get(path, renewal, { timeoutMs });
  if (!found) return null;
  const { status, next_transaction_date: at } = found;
  const isRenewing = status !== null && RENEWING.includes(status);
  return { card: null, nextInvoice: isRenewing && at ? { at, price: null } : null };
}
