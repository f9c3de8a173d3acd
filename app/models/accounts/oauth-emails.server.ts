import type { Transaction } from "~/db.server";
import { noteFactorChange } from "~/models/accounts/factor-changes.server";
import { type OauthProvider, PROVIDER_NAMES } from "~/services/auth/oauth/oauth-providers";

interface LinkChange {
  userId: string;
  provider: OauthProvider;
  change: "provider_linked" | "provider_unlinked";
}

/** Tells the owner of an account that a provider was linked to it or unlinked from it. */
export async function mailLinkChange(
  { userId, provider, change }: LinkChange,
  transaction: Transaction,
): Promise<void> {
  await noteFactorChange({ userId, change, name: PROVIDER_NAMES[provider] }, transaction);
}
