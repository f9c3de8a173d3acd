import {
  findPack,
  findPlan,
  type Period,
  type PlanKey,
  type PriceSlot,
  type SkuKey,
  slotOf,
} from "~/catalog";
import { PAYMENT_PROVIDERS } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { ProviderOf } from "~/models/billing/cancellations/cancellations.server";
import type { CheckoutResult } from "~/models/billing/checkouts/checkouts.server";
import { findPortalProvider, type PortalResult } from "~/models/billing/checkouts/portals.server";
import {
  lacksVerification,
  requireVerifiedEmail,
} from "~/server/accounts/require-verified-email.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { idempotencyRefused } from "~/server/request/idempotency-key.server";
import {
  getPaymentProvider,
  requireActiveProvider,
} from "~/services/payments/get-payment-provider.server";
import { providerError } from "~/services/payments/payment-faults";
import type { PaymentProvider } from "~/services/payments/payment-provider.server";
import { AppError } from "~/utils/app-error";

/** @throws AppError 429 rate_limited beyond 20 checkouts a minute */
export function limitCheckouts(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("checkout-user", userId));
}

/** @throws AppError 429 rate_limited beyond 20 a minute */
export function limitPortals(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("portal-user", userId));
}

/** @throws AppError 429 rate_limited beyond 20 cancellations, and their taking back, a minute */
export function limitCancellations(userId: string): Promise<void> {
  return enforceRateLimit(limitRule("cancel-resume-user", userId));
}

/** @throws AppError 400 unknown_sku, 409 not_for_sale */
export function requireSku(skuKey: string): SkuKey {
  const pack = findPack(skuKey);
  if (pack) {
    requireForSale(slotOf({ type: "pack", skuKey: pack.skuKey }));
    return pack.skuKey;
  }
  throw new AppError({
    code: "unknown_sku",
    publicMessage:
      "We don't sell that credit pack. Nothing was charged. GET /en/pricing lists the packs.",
  });
}

/** The plan of a new subscription. @throws AppError 400 unknown_plan, 409 not_for_sale */
export function requirePlanForSale(planKey: string, period: Period): PlanKey {
  const known = requirePlanKey(planKey);
  requireForSale(slotOf({ type: "plan", planKey: known, period }));
  return known;
}

/** @throws AppError 400 unknown_plan */
export function requirePlanKey(planKey: string): PlanKey {
  const plan = findPlan(planKey);
  if (plan) return plan.planKey;
  throw new AppError({
    code: "unknown_plan",
    publicMessage: "We don't sell that plan. Nothing was charged. GET /en/pricing lists the plans.",
  });
}

/** Refuses what the operator does not sell. */
function requireForSale(slot: PriceSlot): void {
  if (!getEnv().payments.notForSale.includes(slot)) return;
  throw new AppError({
    code: "not_for_sale",
    publicMessage:
      "This isn't for sale here. Nothing was charged. GET /en/pricing lists what you can buy.",
  });
}

/** Returns the body of a started checkout; throws an AppError for any other result. */
export function checkoutResponse(result: CheckoutResult) {
  switch (result.status) {
    case "started":
      return { provider: result.provider, sessionId: result.sessionId, url: result.url };
    case "provider_error":
      throw providerError(result.cause);
    case "already_subscribed":
      throw new AppError({
        code: "already_subscribed",
        publicMessage:
          "You already have a subscription, so nothing was charged. Change it at /account/billing/change, or end it with POST /api/payments/subscription/cancel.",
        extra: { subscriptionId: result.subscriptionId, portal: "/api/payments/portal" },
      });
    case "idempotency_mismatch":
    case "idempotency_in_progress":
      throw idempotencyRefused(result.status);
  }
}

export function noSubscription(): AppError {
  return new AppError({
    code: "no_subscription",
    publicMessage:
      "We couldn't find that subscription in your account, or it has ended. Nothing was changed. Your billing page shows your plan.",
  });
}

export function subscriptionEnded(): AppError {
  return new AppError({
    code: "subscription_ended",
    publicMessage:
      "This subscription has ended, so it can't be kept. Nothing was charged. GET /en/pricing lists the plans.",
  });
}

/** Returns the portal's URL; throws an AppError for any other result. */
export function portalResponse(result: PortalResult): { url: string } {
  switch (result.status) {
    case "created":
      return { url: result.url };
    case "no_customer":
      throw new AppError({
        code: "no_customer",
        publicMessage: "You have no card or invoices to manage yet. Subscribe to a plan first.",
      });
    case "customer_conflict":
      throw new AppError({
        code: "customer_conflict",
        publicMessage:
          "Your account and another one share a customer record at the payment provider, so we can't open its page for you. Nothing was changed. You can still cancel your plan here.",
      });
  }
}

/**
 * Returns the payment provider for this buyer's checkout. Creem identifies customers by their email
 * address, so the address must be verified.
 * @throws AppError 503 payments_unavailable, 403 email_unverified
 */
export function requireCheckoutProvider(buyer: { emailVerified: boolean }): PaymentProvider {
  const provider = requireActiveProvider();
  if (PAYMENT_PROVIDERS[provider.name].needsVerifiedEmail) requireVerifiedEmail(buyer);
  return provider;
}

/**
 * Gives a provider whose own page this user may open. Creem identifies customers by their email address, so the
 * address must be verified.
 */
export const portalProviderOf =
  (user: { emailVerified: boolean }): ProviderOf =>
  (name) => {
    if (PAYMENT_PROVIDERS[name].needsVerifiedEmail) requireVerifiedEmail(user);
    return getPaymentProvider(name);
  };

/** Whether the user has to verify their address before `portalProviderOf` gives their provider. */
export async function lacksPortalVerification(user: {
  id: string;
  emailVerified: boolean;
}): Promise<boolean> {
  if (!lacksVerification(user)) return false;
  const provider = await findPortalProvider(user.id);
  return provider !== null && PAYMENT_PROVIDERS[provider].needsVerifiedEmail;
}
