import { queryPrepared, type Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import { Prisma } from "~/generated/prisma/client";
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
  const metadata = metadataOf(event);
  if (!metadata) return false;
  // The statement that records a pack's sale finds the user itself.
  const isPack = event.kind === "checkout_completed" && event.mode === "payment";
  if (isPack && !isOfOtherSite(metadata, ownSite())) return false;
  const { userId } = metadata;
  const subscriptionId =
    "providerSubscriptionId" in event ? event.providerSubscriptionId : undefined;
  // A known subscription has its user, whatever its metadata says by now.
  const statement = Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM users WHERE id = ${userId}::uuid)
      OR EXISTS (SELECT 1 FROM subscriptions
        WHERE provider = ${provider}
          AND provider_subscription_id = ${subscriptionId ?? null}::text) AS here`;
  const [found] = await queryPrepared<{ here: boolean }>("find_owner_here", statement, transaction);
  if (found?.here) return false;
  if (isOfOtherSite(metadata, ownSite())) return true;
  throw lostUser(userId);
}

/** A user of ours who is not here. */
export function lostUser(userId: string): Error {
  return new Error(
    `no user here has the id ${userId}, for whom this installation made a checkout: restore the user, or see docs/payments.md on two installations`,
  );
}

function metadataOf(event: BillingEvent): BillingMetadata | null {
  if (event.kind === "returned") return event.payment.metadata;
  return "metadata" in event ? event.metadata : null;
}
