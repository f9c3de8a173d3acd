import type { PaymentsEnv } from "~/env/payments";
import { inspectCreem } from "~/services/payments/creem/creem-inspection.server";
import { ProviderRefusal } from "~/services/payments/payment-faults";
import { inspectStripe } from "~/services/payments/stripe/stripe-inspection.server";
import { AppError } from "~/utils/app-error";

/** What a provider would ask a buyer for. */
export interface OfferedPrice {
  /** Minor units a period; null where the provider has no single amount for it. */
  amount: number | null;
  /** Lower case. */
  currency: string;
  /** Null for what is bought once; "other" for a rhythm that the catalog does not know. */
  interval: "month" | "year" | "other" | null;
  /** Whether it can be bought now. */
  active: boolean;
}

export interface WebhookEndpoint {
  url: string;
  enabled: boolean;
  /** Types it is sent; `*` is all of them. */
  events: string[];
}

/**
 * A look at a provider's side of the configuration, for operators. Only reads.
 * Each function throws AppError 502 provider_error when the provider cannot be reached or refuses.
 */
export interface ProviderInspection {
  /** Null where the provider has no such price or product. */
  findPrice(id: string): Promise<OfferedPrice | null>;
  /** Null where the provider does not tell which endpoints it has. */
  listWebhookEndpoints: (() => Promise<WebhookEndpoint[]>) | null;
}

/** The selected provider, or null where there is none or its key is not set. */
export function inspectProvider(payments: PaymentsEnv): ProviderInspection | null {
  const { provider, stripe, creem } = payments;
  if (provider === "stripe" && stripe.secretKey)
    return inspectStripe({ secretKey: stripe.secretKey, apiBase: stripe.apiBase });
  if (provider === "creem" && creem.apiKey)
    return inspectCreem({ apiKey: creem.apiKey, apiBase: creem.apiBase });
  return null;
}

/** The status with which the provider refused, and its words; null where it gave no answer at all. */
export function refusalOf(error: unknown): { status: number | null; reason: string } {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof ProviderRefusal) return { status: cause.status, reason: cause.message };
  return { status: null, reason: cause instanceof Error ? cause.message : String(cause) };
}
