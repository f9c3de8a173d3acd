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
