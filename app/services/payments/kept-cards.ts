import type { SkuKey } from "~/catalog";
import type { SavedCard } from "~/services/payments/payment-outlook";
import type { OfferedPrice } from "~/services/payments/provider-inspection.server";

/** A payment with a kept card. All that is asked for is the same at each repetition: the provider refuses other values. */
export interface Charge {
  /** Names the payment, and makes its repetition the same payment. */
  topUpId: string;
  userId: string;
  /** Host of this installation's site. */
  site: string;
  skuKey: SkuKey;
  customerId: string;
  paymentMethodId: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** Milliseconds, as `Date.now` counts them: the request leaves before, or not at all. A process can stand still for any time. */
  leaveBy: number;
}

/** The code with which a bank asks for the customer. */
export const NEEDS_CUSTOMER = "authentication_required";

/** The known outcome of a charge. */
export type ChargeOutcome =
  | { status: "succeeded"; paymentId: string }
  /** It will succeed or fail later. */
  | { status: "processing"; paymentId: string }
  | { status: "declined"; paymentId: string; code: string }
  /** The bank wants the customer to confirm it. It stays open until it is cancelled. */
  | { status: "action_required"; paymentId: string }
  /** `code` says why it had failed before, if it had. */
  | { status: "canceled"; paymentId: string; code: string | null }
  /** The customer or the card isn't there any more. Nothing was charged. */
  | { status: "card_removed" }
  /** The provider doesn't take the request, for a reason that is the operator's. Nothing was charged. */
  | { status: "refused"; reason: string };

/** A charge that exists at the provider. */
export type FoundCharge = Extract<ChargeOutcome, { paymentId: string }>;

/** A provider's calls about cards that customers let it keep. */
export interface KeptCards {
  /** Makes the customer to whom a card will belong. The same request gets the same customer. */
  createCustomer(request: { userId: string; site: string; email: string }): Promise<string>;
  /**
   * Makes the hosted page on which the customer agrees to their card being kept. Null if the provider doesn't have the
   * customer. The card comes with the webhook.
   */
  createCardPage(request: {
    requestId: string;
    userId: string;
    site: string;
    customerId: string;
    successUrl: string;
    cancelUrl: string;
  }): Promise<{ url: string } | null>;
  /** Reads a kept card, within `timeoutMs`. Null if the customer doesn't have it any more. */
  findCard(request: {
    customerId: string;
    paymentMethodId: string;
    timeoutMs: number;
  }): Promise<SavedCard | null>;
  /** Has the provider forget a card. One that is gone stays so, and one that pays the customer's plan stays for it. */
  removeCard(request: { paymentMethodId: string }): Promise<void>;
  /** Returns the provider's present price of a pack; null if it has none. */
  findPrice(skuKey: SkuKey): Promise<OfferedPrice | null>;
  /**
   * Charges a kept card. Asked again, it returns the first one's outcome, for at least a day.
   * @throws AppError 502 provider_error if nobody knows whether the card was charged
   */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** Looks a charge up by what it was asked for. Null if the provider doesn't have it. */
  findCharge(request: {
    topUpId: string;
    customerId: string;
    paymentId: string | null;
    /** Not created before. */
    since: Date;
  }): Promise<FoundCharge | null>;
  /**
   * Uses up what makes a charge's repetition the same payment, for at least a day: a request for it that is still on its way, or
   * that leaves later, is refused. Returns false if one came before.
   * @throws AppError 502 provider_error if nobody knows which
   */
  forbidCharge(request: { topUpId: string; amount: number; currency: string }): Promise<boolean>;
  /** Cancels a charge that wasn't made, for good. Returns what it is then: it may have succeeded. */
  cancelCharge(request: { paymentId: string }): Promise<FoundCharge>;
}
