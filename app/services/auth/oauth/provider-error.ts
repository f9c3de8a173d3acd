/** Why a sign-in, link or confirmation at a provider failed, as the pages' addresses say it. */
export const PROVIDER_ERRORS = [
  "denied",
  "expired",
  "unavailable",
  "email_unverified",
  "email_taken",
  "account_disabled",
  "rate_limited",
  "belongs_to_other",
  "other_linked",
  "not_fresh",
  "not_linked",
  "has_password",
  "last_way",
] as const;

export type ProviderError = (typeof PROVIDER_ERRORS)[number];
