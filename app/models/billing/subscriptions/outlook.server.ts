import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import { isSharedCustomer } from "~/models/billing/customers/provider-customers.server";
import type { OwnSubscription } from "~/models/billing/subscriptions/management.server";
import { refusalOf } from "~/services/payments/payment-faults";
import type { PaymentOutlook } from "~/services/payments/payment-outlook";
import { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/** A page waits this long for the provider. It shows the rest without it. */
const TIMEOUT_MS = 2_000;

/** The card and the next invoice of a subscription, or why its page lacks them. */
export type ShownOutlook =
  | ({ status: "known" } & PaymentOutlook)
  /** Its provider didn't tell in time. */
  | { status: "unknown" }
  /** The page was opened so often that its provider was not asked. */
  | { status: "limited" };

/**
 * Asks the provider for a subscription's card and next invoice. Nothing of it is stored, since a stored
 * card or amount would soon be wrong.
 */
export async function findOutlook(
  subscription: OwnSubscription,
  providerOf: ProviderOf,
  db: DatabaseOrTransaction = getDb(),
): Promise<Exclude<ShownOutlook, { status: "limited" }>> {
  const { userId, provider, providerSubscriptionId, providerCustomerId: customerId } = subscription;
  // The customer's card may be the other account's.
  if (!customerId || (await isSharedCustomer({ provider, customerId, userId }, db)))
    return { status: "unknown" };
  try {
    const request = { providerSubscriptionId, timeoutMs: TIMEOUT_MS };
    const outlook = await providerOf(provider).findOutlook(request);
    return outlook ? { status: "known", ...outlook } : { status: "unknown" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = refusalOf(error);
    log().warn({ provider, reason }, "the provider told no card and no next invoice");
    return { status: "unknown" };
  }
}
