import type { AuditAction } from "~/models/audit/audit-actions";

/** The text of each action of the audit log. */
export const AUDIT_WORDS = {
  ledger_adjusted: "audit.actions.ledger_adjusted",
  ledger_repaired: "audit.actions.ledger_repaired",
  user_viewed: "audit.actions.user_viewed",
  content_viewed: "audit.actions.content_viewed",
  people_searched: "audit.actions.people_searched",
  figures_viewed: "audit.actions.figures_viewed",
  support_allowed: "audit.actions.support_allowed",
  support_refused: "audit.actions.support_refused",
  user_signed_out: "audit.actions.user_signed_out",
  everybody_signed_out: "audit.actions.everybody_signed_out",
  user_disabled: "audit.actions.user_disabled",
  user_enabled: "audit.actions.user_enabled",
  factors_removed: "audit.actions.factors_removed",
  api_key_revoked: "audit.actions.api_key_revoked",
  delivery_replayed: "audit.actions.delivery_replayed",
  delivery_repeated: "audit.actions.delivery_repeated",
  subscription_end_asked: "audit.actions.subscription_end_asked",
  subscription_ended: "audit.actions.subscription_ended",
  billing_reconciled: "audit.actions.billing_reconciled",
  return_applied: "audit.actions.return_applied",
  return_dropped: "audit.actions.return_dropped",
  return_closed: "audit.actions.return_closed",
  portal_configured: "audit.actions.portal_configured",
  email_retried: "audit.actions.email_retried",
  emails_retried: "audit.actions.emails_retried",
  job_retried: "audit.actions.job_retried",
  jobs_retried: "audit.actions.jobs_retried",
  job_dropped: "audit.actions.job_dropped",
  database_migrated: "audit.actions.database_migrated",
  database_restored: "audit.actions.database_restored",
  address_verified: "audit.actions.address_verified",
} as const satisfies Record<AuditAction, string>;

/** Who acted, as the person concerned sees it. */
export const AUDIT_BY = { you: "audit.you", support: "audit.support" } as const;
