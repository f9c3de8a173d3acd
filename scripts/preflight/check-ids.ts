/** Every check, in the report's order. Scripts rely on these names: add new ones, never rename. */
export const CHECK_IDS = [
  "env.database-url",
  "env.auth-secret",
  "env.site-url",
  "env.service",
  "env.unknown",
  "env.aliases",
  "env.sandbox-keys",
  "env.proxy",
  "env.security-contact",
  "site.support",
  "site.legal",
  "tls.database",
  "tls.api-bases",
  "tls.email",
  "cron.secret",
  "cron.daily-job",
  "payments.provider",
  "payments.keys",
  "payments.prices",
  "payments.mode",
  "payments.inactive-provider",
  "payments.deleted-accounts",
  "payments.returns",
  "payments.unsold",
  "payments.rejected-webhooks",
  "storage.settings",
  "storage.public-url",
  "storage.private-bucket",
  "storage.private-files",
  "images.provider",
  "images.storage",
  "signin.github",
  "signin.google",
  "bot-challenge.keys",
  "email.settings",
  "database.connection",
  "database.pooler",
  "database.direct",
  "database.clock",
  "database.migrations",
  "database.duplicate-credit-sources",
  "database.duplicate-subscriptions",
  "database.duplicate-orders",
  "database.duplicate-webhook-events",
  "ledger.invariants",
  "code.types",
  "online.payments-key",
  "online.payments-prices",
  "online.payments-webhook",
  "online.payments-portal",
  "online.payments-tax",
  "online.storage-upload",
  "online.storage-cors",
  "online.storage-download",
  "online.storage-public",
  "online.storage-private",
  "online.storage-delete",
  "online.images-fal",
  "online.images-replicate",
  "online.images-openai",
  "online.signin-github",
  "online.signin-google",
  "online.bot-challenge",
  "online.email",
] as const;

export type CheckId = (typeof CHECK_IDS)[number];

/** Whether one of `names` is the check's id or its group. */
export function isNamed(id: CheckId, names: readonly string[]): boolean {
  return names.some((name) => id === name || id.startsWith(`${name}.`));
}

/** Returns the first of `names` that is neither a check nor a group; null if all are known. */
export function findUnknown(names: readonly string[]): string | null {
  return names.find((name) => !CHECK_IDS.some((id) => isNamed(id, [name]))) ?? null;
}
