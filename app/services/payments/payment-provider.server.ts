import type { Period, PlanKey, PriceSlot, SkuKey } from "~/catalog";
import type { PaymentProviderName } from "~/env/payments";
import type { Delivery } from "~/services/payments/billing-event";
import type { KeptCards } from "~/services/payments/kept-cards";
import type { PaymentOutlook } from "~/services/payments/payment-outlook";
import type { PlanChanges } from "~/services/payments/plan-changes";
import type { SignatureFault } from "~/services/payments/signature-fault";

export interface CheckoutRequest {
  userId: string;
  /** Host of this installation's site, for the metadata: two may share one provider account. */
  site: string;
  /** Prefilled for a buyer who is new to the provider. */
  email: string;
  /** The buyer's customer id at this provider, if they bought before. */
  customerId: string | null;
  /**
   * Identifies the attempt, at most 255 characters. At Stripe it is the idempotency key, which returns
   * the first session again and refuses different parameters. At Creem it is the request id, which is
   * only passed along.
   */
  requestId: string;
  /** Return URL after payment. It has no parameters of our own, because Creem signs the ones it appends. */
  successUrl: string;
  /** Return URL on cancellation. Creem has none and relies on the browser's back button. */
  cancelUrl: string;
}

/** A hosted checkout page for the buyer. Nothing is charged until they pay there. */
export interface Checkout {
  sessionId: string;
  url: string;
  /** When the page ends, and nobody can pay there any more. */
  expiresAt: Date;
}

export type WebhookResult =
  | { status: "verified"; delivery: Delivery }
  | { status: "invalid_signature"; reason: SignatureFault }
  /** The signature is valid, but the payload isn't a JSON object. */
  | { status: "invalid_payload" };

/** A subscription's future, as the provider tells it. Only `renewing` can charge for another period. */
export type SubscriptionStanding =
  | { status: "renewing"; currentPeriodEnd: Date | null }
  /** It ends with its period. `currentPeriodEnd` is null if the provider did not say when. */
  | { status: "scheduled"; currentPeriodEnd: Date | null }
  /** It is over. `endedAt` is null if the provider did not say since when. */
  | { status: "ended"; endedAt: Date | null }
  /** The provider has no such subscription: its API said so, with a key that it accepted. */
  | { status: "not_found" };

export type CancelResult = Exclude<SubscriptionStanding, { status: "renewing" }>;

/** `currentPeriodEnd` is null if the provider did not say when it renews. */
export type ResumeResult =
  | { status: "renewing"; currentPeriodEnd: Date | null }
  | Extract<SubscriptionStanding, { status: "ended" | "not_found" }>;

export type PortalResult = { status: "created"; url: string } | { status: "not_found" };

/** A use of a provider that needs configuration: its API, its webhook, or one item for sale. */
export type ProviderUse = "api" | "webhook" | PriceSlot;

/**
 * A payment provider, as the rest of the app sees it.
 *
 * Every call throws AppError 503 payments_unavailable if a setting it needs is missing. Every network
 * call throws 502 provider_error if the provider cannot be reached, times out or refuses: then, as far
 * as we can know, nothing was charged or changed.
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** Variables that are missing for `use`; empty if it works. */
  listMissing(use: ProviderUse): string[];
  createPackCheckout(request: CheckoutRequest & { skuKey: SkuKey }): Promise<Checkout>;
  createSubscriptionCheckout(
    request: CheckoutRequest & { planKey: PlanKey; period: Period },
  ): Promise<Checkout>;
  /**
   * Ends a checkout's page, so that nobody can pay there any more. One that is over stays as it is. Null
   * at a provider whose API can't.
   */
  readonly expireCheckout: ((request: { sessionId: string }) => Promise<void>) | null;
  /** Checks the signature over the unmodified bytes, then parses them. */
  verifyWebhook(rawBody: Uint8Array, headers: Headers): WebhookResult;
  /**
   * Parses bytes that were verified on arrival, for a retry from the inbox. Null if they are not a JSON
   * object. Needs no configuration except, for plans, the prices.
   */
  parseDelivery(rawBody: Uint8Array): Delivery | null;
  /** Asks whether a subscription will renew. Changes nothing. */
  checkSubscription(request: { providerSubscriptionId: string }): Promise<SubscriptionStanding>;
  /**
   * Ends a subscription with its period, or at once: if `when` says so, or if it would never reach the
   * period's end, as a paused one. A planned change of it is dropped. Repeating it changes nothing.
   */
  cancelSubscription(request: {
    providerSubscriptionId: string;
    when: "period_end" | "now";
  }): Promise<CancelResult>;
  /** Takes back a cancellation whose time hasn't come. Repeating it changes nothing. */
  resumeSubscription(request: { providerSubscriptionId: string }): Promise<ResumeResult>;
  readonly planChanges: PlanChanges;
  /** Payments with a kept card, without the customer. Null at a provider that has none. */
  readonly keptCards: KeptCards | null;
  /**
   * Reads the card and the next invoice of a subscription, within `timeoutMs`. Null if the provider has
   * no such subscription. Changes nothing.
   */
  findOutlook(request: {
    providerSubscriptionId: string;
    timeoutMs: number;
  }): Promise<PaymentOutlook | null>;
  /**
   * The provider's page on which a customer manages cards, invoices and cancellation. With
   * `withoutPlanChanges` it offers no change of plan, or the call throws 502 provider_error. Creem's API
   * takes no such setting: there the operator has to turn changes of plan off in the dashboard.
   */
  createPortal(request: {
    customerId: string;
    /** On this site: its host also names the site's own portal configuration. */
    returnUrl: string;
    withoutPlanChanges?: boolean;
  }): Promise<PortalResult>;
  /**
   * Whether the parameters of a return from checkout, in their order, carry the provider's signature.
   * It proves nothing beyond the webhook. Stripe signs none, so this is always false for Stripe.
   */
  verifyReturn(parameters: Iterable<readonly [name: string, value: string]>): boolean;
}
