import { CURRENCY, findPlan } from "~/catalog";
import type { Transaction } from "~/db.server";
import { type PaymentProviderName, pricesOf } from "~/env/payments";
import { findPlanOfPrice, isListedBelow, type SoldPlan } from "~/env/prices";
import { getEnv } from "~/env.server";
import type { Subscription } from "~/generated/prisma/client";
import {
  isSharedCustomer,
  reportSharedCustomer,
} from "~/models/billing/customers/provider-customers.server";
import type { ListedPrice } from "~/services/payments/billing-event";
import type { BillingMetadata } from "~/services/payments/billing-metadata";
import { log } from "~/utils/logger.server";
import { formatAmount } from "~/utils/money";

/** A subscription's identity at its provider. */
interface SubscriptionKey {
  provider: PaymentProviderName;
  providerSubscriptionId: string;
}

/** The facts of an event that tell which user and plan the subscription belongs to. */
export interface SubscriptionFacts extends SubscriptionKey {
  customerId: string | null;
  priceId: string | null;
  metadata: BillingMetadata | null;
}

/** Locks the subscription until the transaction ends; null if it does not exist here. */
async function lockSubscription(
  { provider, providerSubscriptionId }: SubscriptionKey,
  transaction: Transaction,
): Promise<Subscription | null> {
  const [locked] = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscriptions
    WHERE provider = ${provider} AND provider_subscription_id = ${providerSubscriptionId}
    FOR UPDATE`;
  return locked ? transaction.subscription.findUniqueOrThrow({ where: { id: locked.id } }) : null;
}

/**
 * Locks the subscription and creates it as `incomplete` if it does not exist: any of its events may
 * arrive first. Returns null for a subscription that is not ours, because nothing names its user.
 */
export async function ensureSubscription(
  facts: SubscriptionFacts,
  transaction: Transaction,
): Promise<Subscription | null> {
  const known = await lockSubscription(facts, transaction);
  if (known || !facts.metadata) return known;
  const { planKey, period } = requirePlan(facts);
  const { count } = await transaction.subscription.createMany({
    data: [
      {
        userId: facts.metadata.userId,
        provider: facts.provider,
        providerSubscriptionId: facts.providerSubscriptionId,
        providerCustomerId: facts.customerId,
        planKey,
        period,
      },
    ],
    skipDuplicates: true,
  });
  const row = await lockSubscription(facts, transaction);
  if (row && count > 0) await checkCustomer(row, facts.customerId, transaction);
  return row;
}

/**
 * Reports a customer that another account also has. The event still takes effect: the purchase belongs
 * to the user named by our checkout.
 */
export async function checkCustomer(
  { id: subscriptionId, userId, provider }: Subscription,
  customerId: string | null,
  transaction: Transaction,
): Promise<void> {
  if (customerId === null) return;
  const customer = { provider: provider as PaymentProviderName, customerId, userId };
  if (await isSharedCustomer(customer, transaction))
    reportSharedCustomer({ ...customer, subscriptionId }, "webhook");
}

/** The plan that a price sells or once sold at this provider; null if neither the catalog nor `RETIRED` has it. */
export function findPlanByPrice({
  provider,
  priceId,
}: Pick<SubscriptionFacts, "provider" | "priceId">): SoldPlan | null {
  return findPlanOfPrice(pricesOf(provider, getEnv().payments), priceId);
}

/**
 * Explains to the operator why this isn't the sale of a plan; null if it is. The price before discounts, taxes
 * and credit is compared, so that a promotion code passes, and more than the plan costs passes too. An amount
 * in another currency cannot be compared and passes with a warning.
 */
export function describePlanMismatch(
  { provider, priceId }: Pick<SubscriptionFacts, "provider" | "priceId">,
  listed: ListedPrice | null,
): string | null {
  const plan = findPlanByPrice({ provider, priceId });
  if (!plan) return "neither the catalog nor RETIRED has its price";
  if (listed && listed.currency !== CURRENCY)
    log().warn({ provider, priceId, ...listed }, "a plan was sold in another currency");
  if (!isListedBelow(listed, plan)) return null;
  const wanted = formatAmount({ amount: plan.amount, currency: CURRENCY });
  return `it costs ${wanted} before discounts, and it has ${listed ? formatAmount(listed) : "no price"}`;
}

/**
 * A new subscription's plan: the one its price sells or, if the price is unknown, the one our checkout
 * recorded. Throws if the catalog has neither.
 */
function requirePlan(facts: SubscriptionFacts): { planKey: string; period: string } {
  const priced = findPlanByPrice(facts);
  if (priced) return { planKey: priced.planKey, period: priced.period };
  const planKey = facts.metadata?.planKey ?? "";
  const period = facts.metadata?.period;
  if (findPlan(planKey) && (period === "month" || period === "year")) return { planKey, period };
  throw new Error(
    `subscription ${facts.providerSubscriptionId}: the catalog has no plan ${planKey} by the ${period}`,
  );
}
