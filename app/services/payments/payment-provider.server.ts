import type { Period, PlanKey, PriceSlot, SkuKey } from "~/catalog";
import type { PaymentProviderName } from "~/env/payments";
import type { Delivery } from "~/services/payments/billing-event";

export interface CheckoutRequest {
  userId: string;
  /** Prefilled for a buyer whom the provider does not know yet. */
  email: string;
  /** The buyer as this provider knows them, where they bought before. */
  customerId: string | null;
  /**
   * Names the attempt, at most 255 characters: Stripe's idempotency key, which answers the first
   * session again and refuses other parameters; Creem's request id, which is only passed along.
   */
  requestId: string;
  /** Where to go once paid. Without parameters of our own: Creem signs what it appends. */
  successUrl: string;
  /** Where to go instead. Creem has no such thing and leaves it to the browser's back button. */
  cancelUrl: string;
}

/** A hosted checkout, to which the buyer is sent. Nothing is charged until they pay there. */
export interface Checkout {
  sessionId: string;
  url: string;
}

export type WebhookResult =
  | { status: "verified"; delivery: Delivery }
  | { status: "invalid_signature" }
  /** Signed, and yet not a JSON object. */
  | { status: "invalid_payload" };

export type CancelResult =
  /** `currentPeriodEnd` is when it ends; null where the provider did not say. */
  | { status: "scheduled"; currentPeriodEnd: Date | null }
  /** The provider has no such subscription. */
  | { status: "not_found" };

export type PortalResult = { status: "created"; url: string } | { status: "not_found" };

/** What a use of a provider needs configured: its API, its webhook, or one item for sale. */
export type ProviderUse = "api" | "webhook" | PriceSlot;

/**
 * A payment provider, as the rest of the app sees it.
 *
 * Every call throws AppError 503 payments_unavailable where what it needs is not configured, and
 * every call over the network 502 provider_error when the provider cannot be reached, times out or
 * refuses: then nothing was charged and nothing changed, as far as anybody can know.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** The variables that `use` lacks; it works when there are none. */
  listMissing(use: ProviderUse): string[];
  createPackCheckout(request: CheckoutRequest & { skuKey: SkuKey }): Promise<Checkout>;
  createSubscriptionCheckout(
    request: CheckoutRequest & { planKey: PlanKey; period: Period },
  ): Promise<Checkout>;
  /** Checks the signature over the untouched bytes, then reads them. */
  verifyWebhook(rawBody: Uint8Array, headers: Headers): WebhookResult;
  /**
   * Reads bytes that were verified when they came in, for a second attempt from the inbox. Null where
   * they are not a JSON object. Needs nothing configured but, for plans, the prices.
   */
  parseDelivery(rawBody: Uint8Array): Delivery | null;
  /** Schedules the end of a subscription for the end of its period. Doing it again changes nothing. */
  cancelAtPeriodEnd(request: { providerSubscriptionId: string }): Promise<CancelResult>;
  /** A page of the provider's on which a customer manages cards, invoices and cancellation. */
  createPortal(request: { customerId: string; returnUrl: string }): Promise<PortalResult>;
  /**
   * Whether the parameters of a return from checkout, in their order, carry the provider's signature.
   * It proves nothing that a webhook has not said. Stripe signs none, so it is never valid there.
   */
  verifyReturn(parameters: Iterable<readonly [name: string, value: string]>): boolean;
}
