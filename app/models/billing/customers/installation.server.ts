import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { BillingEvent } from "~/services/payments/billing-event";
import type { BillingMetadata } from "~/services/payments/billing-metadata";

/** The installation's name in our metadata: the site's host, with its port if it has one. */
export const ownSite = (): string => getEnv().siteUrl.host;

/** Whether a checkout with this metadata was made by another installation. */
export function isOfOtherSite({ site }: Pick<BillingMetadata, "site">, own: string): boolean {
  return site !== null && site !== own;
}

/**
 * Whether the event belongs to another installation that shares the provider account: nobody here has
 * its user, and its metadata names another site. The site alone does not decide, since a site may move
 * to another host and its subscriptions go on.
 *
 * Throws for a user of our own who is not here, as after the restore of an older backup: rows of users
 * are never removed. Such a delivery is kept and retried.
 */
export async function isOfOtherInstallation(
  { provider, event }: { provider: PaymentProviderName; event: BillingEvent },
  transaction: Transaction,
): Promise<boolean> {
  if (!("metadata" in event) || !event.metadata) return false;
  const { userId } = event.metadata;
  const subscriptionId =
    "providerSubscriptionId" in event ? event.providerSubscriptionId : undefined;
  // A known subscription has its user, whatever its metadata says by now.
  const [found] = await transaction.$queryRaw<{ here: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM users WHERE id = ${userId}::uuid)
      OR EXISTS (SELECT 1 FROM subscriptions
        WHERE provider = ${provider}
          AND provider_subscription_id = ${subscriptionId ?? null}) AS here`;
  if (found?.here) return false;
  if (isOfOtherSite(event.metadata, ownSite())) return true;
  throw new Error(
    `no user here has the id ${userId}, for whom this installation made a checkout: restore the user, or see docs/payments.md on two installations`,
  );
}
