import { type DatabaseOrTransaction, getDb } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import type { ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import { hasCustomerMoneyBack } from "~/models/billing/changes/running-periods.server";
import {
  isSharedCustomer,
  reportSharedCustomer,
} from "~/models/billing/customers/provider-customers.server";

export type PortalResult =
  | { status: "created"; url: string }
  /** No provider has a customer for the user. */
  | { status: "no_customer" }
  /** Another account has the same customer: the portal would show that person's cards and invoices. */
  | { status: "customer_conflict" };

/**
 * Opens the provider's page for managing cards, invoices and cancellation, for the customer of the
 * subscription that is running. Without one it is that of a subscription that may still charge, or else
 * of the newest. While money is going back for a running period, the page offers no change of plan.
 * @throws AppError 502 provider_error, 503 payments_unavailable
 */
export async function createPortal(
  { userId, returnUrl }: { userId: string; returnUrl: string },
  providerOf: ProviderOf,
  db: DatabaseOrTransaction = getDb(),
): Promise<PortalResult> {
  const own = await findCustomer(userId, db);
  if (!own) return { status: "no_customer" };
  const { subscriptionId, provider, customerId } = own;
  const customer = { provider, customerId, userId };
  if (await isSharedCustomer(customer, db)) {
    reportSharedCustomer({ ...customer, subscriptionId }, "portal");
    return { status: "customer_conflict" };
  }
  const withoutPlanChanges = await hasCustomerMoneyBack({ provider, customerId }, db);
  const request = { customerId, returnUrl, withoutPlanChanges };
  const portal = await providerOf(provider).createPortal(request);
  return portal.status === "created" ? portal : { status: "no_customer" };
}

/** The provider whose page `createPortal` opens for the user; null if none has a customer for them. */
export async function findPortalProvider(
  userId: string,
  db: DatabaseOrTransaction = getDb(),
): Promise<PaymentProviderName | null> {
  const own = await findCustomer(userId, db);
  return own?.provider ?? null;
}

interface OwnCustomer {
  subscriptionId: string;
  provider: PaymentProviderName;
  customerId: string;
}

async function findCustomer(
  userId: string,
  db: DatabaseOrTransaction,
): Promise<OwnCustomer | null> {
  const [own] = await db.$queryRaw<OwnCustomer[]>`
    SELECT id AS "subscriptionId", provider, provider_customer_id AS "customerId"
    FROM subscriptions
    WHERE user_id = ${userId}::uuid AND provider_customer_id IS NOT NULL
    ORDER BY status IN ('trialing', 'active', 'past_due', 'unpaid', 'paused') DESC,
      status <> 'canceled' DESC, created_at DESC, id DESC
    LIMIT 1`;
  return own ?? null;
}
