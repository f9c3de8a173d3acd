import type { TopUpOff } from "~/generated/prisma/enums";

/** The facts that each kind of email is written from. They are stored, so they hold no secrets. */
export interface EmailData {
  /** Links. Their tokens are made when the email is sent. */
  verify_email: { redirectTo?: string | null };
  reset_password: { redirectTo?: string | null };
  sign_in_link: { redirectTo: string | null };
  /** Works in that session only. */
  confirm_identity: { sessionId: string; redirectTo: string | null };
  change_email: { newEmail: string };
  /** Notices about the account. Times are ISO 8601. */
  email_changed: { newEmail: string; at: string };
  password_changed: { at: string };
  sign_up_notice: Record<string, never>;
  /** Somebody gave the right password and then wrong codes. */
  password_known: { at: string };
  new_device: { at: string; userAgent: string | null };
  factor_changed: { at: string; change: FactorChange; name: string | null };
  account_deleted: { at: string };
  /** Notices about money. */
  receipt: { orderId: string } | { paymentId: string };
  payment_failed: { subscriptionId: string };
  subscription_ending: { subscriptionId: string };
  credits_expiring: { amount: number; at: string };
  top_up_off: { reason: Exclude<TopUpOff, "owner">; at: string };
  /** The card was declined, for the first time. */
  top_up_declined: { skuKey: string; topUpId: string };
  /** The bank wanted the owner, so that nothing was bought. */
  top_up_action: { skuKey: string; topUpId: string };
  /** `balance` and the owner's `mark` in credits, as they were when a spend went below the mark. */
  low_balance: { crossingId: string; mark: number; balance: number };
  /** `limit` and `used` in credits. `apiKeyId` is null for the account's own limit. `month` is its first day, in UTC. */
  monthly_limit: {
    apiKeyId: string | null;
    percent: 80 | 100;
    limit: number;
    used: number;
    month: string;
  };
}

export type EmailKind = keyof EmailData;

/** Changes of the ways into an account. */
export const FACTOR_CHANGES = [
  "totp_added",
  "totp_removed",
  "recovery_codes_made",
  "recovery_code_used",
  "passkey_added",
  "passkey_removed",
  "provider_linked",
  "provider_unlinked",
  "password_set",
  "api_key_made",
] as const;

export type FactorChange = (typeof FACTOR_CHANGES)[number];

/**
 * The kinds that people may turn off: they repeat what the site shows. Emails about security, links that
 * somebody asked for and failed payments always come, because they need a response.
 */
export const OPTIONAL_EMAILS = [
  "receipt",
  "subscription_ending",
  "credits_expiring",
  "low_balance",
  "monthly_limit",
] as const;

export type OptionalEmail = (typeof OPTIONAL_EMAILS)[number];

export function isOptionalEmail(kind: string): kind is OptionalEmail {
  return OPTIONAL_EMAILS.some((optional) => optional === kind);
}

/**
 * Hours after which an unsent email is dropped: by then the person has asked for another link, or given
 * up.
 */
export const EXPIRES_AFTER_HOURS: Partial<Record<EmailKind, number>> = {
  verify_email: 24,
  reset_password: 1,
  sign_in_link: 1,
  change_email: 1,
  confirm_identity: 1,
};

/**
 * Notices that somebody could cause again and again, in an account that was made with another
 * person's address. At most ten of a kind are sent to an account within an hour.
 */
export const LIMITED_EMAILS: readonly EmailKind[] = [
  "email_changed",
  "password_changed",
  "new_device",
  "factor_changed",
];
