import { type DatabaseOrTransaction, getDb } from "~/db.server";
import { PAYMENT_PROVIDER_NAMES } from "~/env/payments";
import { isUuid } from "~/utils/uuid";

/**
 * The one person whom these ids of a provider's event name, by themselves or by what they bought. Null if they name nobody
 * here, or several people.
 */
export async function findPersonNamed(
  names: string[],
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const uuids = names.filter(isUuid);
  const providers = [...PAYMENT_PROVIDER_NAMES];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE id = ANY (${uuids}::uuid[])
    UNION SELECT user_id FROM orders WHERE provider = ANY (${providers}::text[])
      AND (provider_checkout_id = ANY (${names}::text[]) OR provider_payment_id = ANY (${names}::text[]))
    UNION SELECT user_id FROM subscriptions WHERE provider = ANY (${providers}::text[])
      AND (provider_subscription_id = ANY (${names}::text[]) OR provider_customer_id = ANY (${names}::text[]))
    UNION SELECT user_id FROM subscription_periods paid
      JOIN subscriptions ON subscriptions.id = paid.subscription_id
      WHERE paid.provider = ANY (${providers}::text[]) AND paid.provider_payment_id = ANY (${names}::text[])
    LIMIT 2`;
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}
