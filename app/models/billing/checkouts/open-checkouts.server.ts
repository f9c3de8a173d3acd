import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import { log } from "~/utils/logger.server";

/** A hosted checkout that may still be paid. */
export interface OpenCheckout {
  provider: PaymentProviderName;
  sessionId: string;
}

/** The user's checkouts whose pages have not ended yet, paid or not. */
export function listOpenCheckouts(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<OpenCheckout[]> {
  return db.$queryRaw`
    SELECT answer ->> 'provider' AS provider, answer ->> 'sessionId' AS "sessionId"
    FROM idempotency_keys
    WHERE user_id = ${userId}::uuid AND scope IN ('checkout', 'subscription-checkout')
      AND answer ->> 'status' = 'started' AND (answer_until > now()) IS NOT FALSE`;
}

/**
 * Ends the pages of these checkouts, where the provider can. One that fails is logged: if somebody pays
 * there, that payment is named to the operator.
 */
export async function expireCheckouts(
  checkouts: readonly OpenCheckout[],
  providerOf: ProviderOf,
): Promise<void> {
  await Promise.all(
    checkouts.map(async ({ provider, sessionId }) => {
      try {
        await providerOf(provider).expireCheckout?.({ sessionId });
      } catch (error) {
        const facts = { provider, checkoutId: sessionId, err: error };
        log().warn(facts, "a deleted account's checkout could not be ended");
      }
    }),
  );
}
