/** What each kind of mail needs to be written, beside its recipient's language. No secrets: they are stored. */
export interface EmailData {
  /** Links, made when the mail is sent. */
  verify_email: Record<string, never>;
  reset_password: Record<string, never>;
  sign_in_link: { redirectTo: string | null };
  /** Works in that session only. */
  confirm_identity: { sessionId: string; redirectTo: string | null };
  change_email: { newEmail: string };
  /** Notices about the account. */
  email_changed: { newEmail: string };
  password_changed: { at: string };
  sign_up_notice: Record<string, never>;
  new_device: { at: string; userAgent: string | null };
  factor_changed: { at: string; change: FactorChange; name: string | null };
  account_deleted: { at: string };
  /** Notices about money. */
  receipt: { orderId: string } | { paymentId: string };
  payment_failed: { subscriptionId: string };
  subscription_ending: { subscriptionId: string };
  credits_expiring: { amount: number; at: string };
}

export type EmailKind = keyof EmailData;

/** What happened to the ways into an account. */
export type FactorChange =
  | "totp_added"
  | "totp_removed"
  | "recovery_codes_made"
  | "recovery_code_used"
  | "passkey_added"
  | "passkey_removed"
  | "provider_linked"
  | "provider_unlinked"
  | "password_set";
