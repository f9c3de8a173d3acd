/**
 * Every action that the audit log tells of, with its meaning. docs/security.md prints this list, and a test
 * keeps them in step.
 */
export const AUDIT_ACTIONS = {
  ledger_adjusted: "Credits were given or taken by hand.",
  ledger_repaired: "An account's stored numbers were brought back to its movements.",
  user_viewed: "An admin looked at a person's page.",
  user_signed_out: "All sessions of a person were ended.",
  everybody_signed_out: "All sessions of all people were ended.",
  user_disabled: "An account was disabled.",
  user_enabled: "A disabled account was enabled.",
  factors_removed: "A person's authenticator app, recovery codes and passkeys were removed.",
  address_verified: "An account's address was taken as verified, without its mailed link.",
  api_key_revoked: "An API key was revoked.",
  delivery_replayed: "A payment provider's stored event was processed again.",
  billing_reconciled: "A difference from the payment provider's records was repaired.",
  return_applied: "A kept refund or dispute found its payment.",
  return_dropped: "A kept refund or dispute was dropped.",
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
