/**
 * Every action that the audit log tells of, with its meaning. docs/security.md prints this list, and a test
 * keeps them in step.
 */
export const AUDIT_ACTIONS = {
  ledger_adjusted: "Credits were given or taken by hand.",
  ledger_repaired: "An account's stored numbers were brought back to its movements.",
  user_viewed: "An admin looked at a person's page.",
  content_viewed:
    "An admin looked at a person's prompts, texts and pictures, which the person had allowed.",
  people_searched: "An admin searched for a person.",
  figures_viewed: "An admin looked at the key figures.",
  support_allowed: "A person let the support see their prompts, texts and pictures for seven days.",
  support_refused: "A person ended that before its time.",
  user_signed_out: "All sessions of a person were ended.",
  everybody_signed_out: "All sessions of all people were ended.",
  user_disabled: "An account was disabled.",
  user_enabled: "A disabled account was enabled.",
  factors_removed: "A person's authenticator app, recovery codes and passkeys were removed.",
  address_verified: "An account's address was taken as verified, without its mailed link.",
  api_key_revoked: "An API key was revoked.",
  delivery_replayed: "A payment provider's stored event that had failed was processed.",
  delivery_repeated:
    "A payment provider's stored event that had been processed went through it once more. Its effects aren't repeated.",
  billing_reconciled: "A difference from the payment provider's records was repaired.",
  return_applied: "A kept refund or dispute found its payment.",
  return_dropped: "A kept refund or dispute was dropped.",
  subscription_end_asked: "A payment provider was about to be asked to end a subscription at once.",
  subscription_ended:
    "A subscription was cancelled at the provider at once, and what was left of its running month was taken back.",
  return_closed: "A won dispute or a failed refund gave back what it had taken.",
  portal_configured: "The payment provider's customer portal was configured.",
  email_retried: "An unsent email was made due.",
  emails_retried: "All unsent emails were made due.",
  job_retried: "A job was made due again.",
  jobs_retried: "All failed jobs were made due again.",
  job_dropped: "A job was cancelled.",
  database_migrated: "Migrations were applied or recorded.",
  database_restored: "This database was restored from a backup.",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Actions that change nothing. */
export const LOOKS: readonly AuditAction[] = [
  "user_viewed",
  "content_viewed",
  "people_searched",
  "figures_viewed",
];

/** People's acts on their own account. The row outlives it, so it keeps no network. */
export const OWN_ACTIONS: readonly AuditAction[] = ["support_allowed", "support_refused"];

/**
 * Kinds of rows that a list shows with a share each, so that many of one kind push out none of another: looks at what a person
 * wrote and made, other looks, and the person's own acts. All other rows are one kind more.
 */
export const APART: readonly (readonly AuditAction[])[] = [
  ["content_viewed"],
  LOOKS.filter((action) => action !== "content_viewed"),
  OWN_ACTIONS,
];
