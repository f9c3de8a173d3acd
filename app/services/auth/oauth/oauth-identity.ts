import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";

/** A person as a provider describes them. */
export interface OauthIdentity {
  provider: OauthProvider;
  /** The provider's own id of the account, which never changes. */
  accountId: string;
  /** In lower case; null unless the provider says that the person proved it. */
  verifiedEmail: string | null;
  /** The provider's name for the account: a login or an address. Shown only. */
  label: string;
  name: string | null;
}
