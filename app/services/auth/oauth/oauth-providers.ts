/** The providers of social sign-in, in the order of their buttons. */
export const OAUTH_PROVIDERS = ["github", "google"] as const;

export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** Their names as people know them; the same in every language. */
export const PROVIDER_NAMES: Record<OauthProvider, string> = { github: "GitHub", google: "Google" };

export function isOauthProvider(value: unknown): value is OauthProvider {
  return OAUTH_PROVIDERS.some((provider) => provider === value);
}
