import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { log } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";

/**
 * A customer at a payment provider. Creem identifies people by email address, so a checkout with
 * somebody else's address can return that person's customer. One portal would then show the cards,
 * invoices and plans of two people. A customer id on two accounts is used for neither.
 */
interface ProviderCustomer {
  provider: PaymentProviderName;
  customerId: string;
  userId: string;
}

/** Whether another account has this customer. Tombstones count, because their invoices still exist. */
export async function isSharedCustomer(
  { provider, customerId, userId }: ProviderCustomer,
  db: DatabaseOrTransaction = getDb(),
): Promise<boolean> {
  const other = await db.subscription.findFirst({
    where: { provider, providerCustomerId: customerId, userId: { not: userId } },
    select: { id: true },
  });
  return other !== null;
}

/** The user's newest customer at the provider that no other account shares, or null. */
export async function findOwnCustomer(
  { provider, userId }: Omit<ProviderCustomer, "customerId">,
  db: DatabaseOrTransaction = getDb(),
): Promise<string | null> {
  const [own] = await db.$queryRaw<{ customerId: string }[]>`
    SELECT provider_customer_id AS "customerId" FROM subscriptions AS own
    WHERE user_id = ${userId}::uuid AND provider = ${provider}
      AND provider_customer_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM subscriptions AS other
        WHERE other.provider = own.provider AND other.user_id <> own.user_id
          AND other.provider_customer_id = own.provider_customer_id)
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  return own?.customerId ?? null;
}

/** Reports to the operator that two accounts share a customer; `docs/payments.md` says what to do. */
export function reportSharedCustomer(
  customer: ProviderCustomer & { subscriptionId: string },
  seenBy: "portal" | "webhook",
): void {
  const { userId, ...facts } = customer;
  log().error({ userId, ...facts }, "two accounts have the same customer at the provider");
  securityEvent("customer_conflict", {
    outcome: "failure",
    userId,
    reason: seenBy,
    details: facts,
  });
}
