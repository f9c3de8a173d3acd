/** A price at the provider, as a buyer would pay it. */
export interface OfferedPrice {
  /** Minor units per period; null if the provider has no single amount for it. */
  amount: number | null;
  /** Lower case. */
  currency: string;
  /** Null for a one-time purchase; "other" for an interval that the catalog does not use. */
  interval: "month" | "year" | "other" | null;
  /** Whether it can be bought now. */
  active: boolean;
}

export interface WebhookEndpoint {
  url: string;
  enabled: boolean;
  /** Event types the endpoint receives; `*` is all of them. */
  events: string[];
}

/** A setting of the customer portal that gives credits away, and what to do. */
export interface PortalFault {
  setting: string;
  remedy: string;
}

export interface PortalSettings {
  id: string;
  faults: PortalFault[];
}

/**
 * Inspects a provider's side of the configuration, for operators. Read-only. Each function throws
 * AppError 502 provider_error if the provider cannot be reached or refuses.
 */
export interface ProviderInspection {
  /** Null if the provider has no such price or product. */
  findPrice(id: string): Promise<OfferedPrice | null>;
  /** Null if the provider does not list its endpoints. */
  listWebhookEndpoints: (() => Promise<WebhookEndpoint[]>) | null;
  /**
   * The configured portal settings or, without any, the account's default ones; null in the promise if
   * they do not exist. Null if the provider does not show them.
   */
  findPortal: (() => Promise<PortalSettings | null>) | null;
  /** Whether Stripe Tax is set up; null if the provider has no such setting. */
  isTaxActive: (() => Promise<boolean>) | null;
}
