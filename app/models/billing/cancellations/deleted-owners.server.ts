import { type Database, type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import {
  endAtProvider,
  type ProviderOf,
} from "~/models/billing/cancellations/cancellations.server";
import { IS_TOMBSTONE } from "~/models/tombstones.server";
import { log } from "~/utils/logger.server";

interface Charged {
  id: string;
  provider: PaymentProviderName;
  providerSubscriptionId: string;
  /** Its last payment; null if the provider hasn't named it. */
  paymentId: string | null;
}

/**
 * Subscriptions that would go on charging somebody whose account was deleted, newest first. A deletion
 * waits until every subscription ends, so one of these was resumed at the provider afterwards, or its
 * checkout was paid after the deletion.
 */
function listChargingDeleted(
  { limit }: { limit: number },
  db: DatabaseOrTransaction,
): Promise<Charged[]> {
  return db.$queryRaw<Charged[]>`
    SELECT s.id, s.provider, s.provider_subscription_id AS "providerSubscriptionId",
      (SELECT provider_payment_id FROM subscription_periods paid WHERE subscription_id = s.id
        ORDER BY paid.starts_at DESC LIMIT 1) AS "paymentId"
    FROM subscriptions s JOIN users u ON u.id = s.user_id
    WHERE s.status <> 'canceled' AND NOT s.cancel_at_period_end
      AND ${IS_TOMBSTONE}
    ORDER BY s.created_at DESC LIMIT ${limit}`;
}

/**
 * Ends them at the provider, at once: nobody can use what is left, and nobody can come back and resume
 * it. Returns how many it ended. Throws after the last one if any could not be ended.
 */
export async function endChargingDeleted(
  { limit }: { limit: number },
  providerOf: ProviderOf,
  db: Database = getDb(),
): Promise<number> {
  const charging = await listChargingDeleted({ limit }, db);
  const failed: string[] = [];
  for (const subscription of charging) {
    const { id: subscriptionId, provider, paymentId } = subscription;
    const facts = { subscriptionId, provider, paymentId };
    try {
      await endAtProvider({ subscription, when: "now" }, providerOf, db);
      log().error(facts, "a deleted account's subscription was running: it was ended");
    } catch (error) {
      failed.push(subscriptionId);
      log().error(
        { ...facts, err: error },
        "a deleted account's subscription is running and could not be ended",
      );
    }
  }
  if (failed.length > 0) throw new Error(`still running: ${failed.join(", ")}`);
  return charging.length;
}
