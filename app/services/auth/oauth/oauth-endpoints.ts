import type { OauthEnv } from "~/env/accounts";
import { OAUTH_PROVIDERS, type OauthProvider } from "~/services/auth/oauth/oauth-providers";

/** The providers whose sign-in is on. */
export function enabledProviders(oauth: OauthEnv): OauthProvider[] {
  return OAUTH_PROVIDERS.filter((provider) => oauth[provider] !== null);
}

/** Path of the address that a provider returns people to. One per provider, so that none can pose as another. */
export function callbackPath(provider: OauthProvider): string {
  return `/auth/${provider}/callback`;
}

export function githubEndpoints({ oauthBase }: { oauthBase: string }) {
  return {
    authorization: `${oauthBase}/login/oauth/authorize`,
    token: `${oauthBase}/login/oauth/access_token`,
  };
}

/** Fixed, not discovered: whoever changes the discovery document would otherwise choose them. */
export function googleEndpoints({ oauthBase }: { oauthBase: string | null }) {
  return {
    authorization: `${oauthBase ?? "https://accounts.google.com"}/o/oauth2/v2/auth`,
    token: `${oauthBase ?? "https://oauth2.googleapis.com"}/token`,
    userinfo: `${oauthBase ?? "https://openidconnect.googleapis.com"}/v1/userinfo`,
  };
}

/** Origins of the sign-in pages that our forms lead to. */
export function signInOrigins({ github, google }: OauthEnv): string[] {
  return [
    ...(github ? [githubEndpoints(github).authorization] : []),
    ...(google ? [googleEndpoints(google).authorization] : []),
  ].map((page) => new URL(page).origin);
}
