import { Authenticator } from "remix-auth";
import { OAuth2RequestError, OAuth2Strategy } from "remix-auth-oauth2";
import { getEnv } from "~/env.server";
import { readGithubIdentity } from "~/services/auth/oauth/github-identity.server";
import { readGoogleIdentity } from "~/services/auth/oauth/google-identity.server";
import {
  callbackPath,
  githubEndpoints,
  googleEndpoints,
} from "~/services/auth/oauth/oauth-endpoints";
import type { OauthIdentity } from "~/services/auth/oauth/oauth-identity";
import type { OauthProvider } from "~/services/auth/oauth/oauth-providers";
import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { lendFetch } from "~/services/outgoing/platform-fetch.server";

/** All calls to the provider after a person's return: they wait in front of a blank page. */
const TIMEOUT_MS = 5_000;
/** The strategy reads its requests' query and cookie only. */
const REQUEST_URL = "http://oauth.invalid/";

interface ProviderClient {
  clientId: string;
  clientSecret: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  scopes: string[];
  identify(accessToken: string, signal: AbortSignal): Promise<OauthIdentity>;
}

/** The provider's endpoints and our client there; null while its sign-in is off. */
function findClient(provider: OauthProvider): ProviderClient | null {
  const { github, google } = getEnv().oauth;
  if (provider === "github" && github) {
    const endpoints = githubEndpoints(github);
    return {
      clientId: github.clientId,
      clientSecret: github.clientSecret,
      authorizationEndpoint: withAccountChooser(endpoints.authorization),
      tokenEndpoint: endpoints.token,
      scopes: ["user:email"],
      identify: (accessToken, signal) => readGithubIdentity(github, { accessToken, signal }),
    };
  }
  if (provider === "google" && google) {
    const endpoints = googleEndpoints(google);
    return {
      clientId: google.clientId,
      clientSecret: google.clientSecret,
      authorizationEndpoint: withAccountChooser(endpoints.authorization),
      tokenEndpoint: endpoints.token,
      scopes: ["openid", "email", "profile"],
      identify: (accessToken, signal) =>
        readGoogleIdentity(endpoints.userinfo, { accessToken, signal }),
    };
  }
  return null;
}

/** Otherwise the provider picks the account that the browser used last, without asking. */
function withAccountChooser(endpoint: string): string {
  return `${endpoint}?${new URLSearchParams({ prompt: "select_account" })}`;
}

/** The strategy, with PKCE (S256) and a new state for each start. No token leaves it. */
function createAuthenticator(
  provider: OauthProvider,
  { identify, ...client }: ProviderClient,
  signal: AbortSignal,
): Authenticator<OauthIdentity> {
  const redirectURI = new URL(callbackPath(provider), getEnv().siteUrl);
  const strategy = new OAuth2Strategy<OauthIdentity>({ ...client, redirectURI }, ({ tokens }) => {
    // GitHub refuses a code with status 200.
    if ("error" in tokens.data) throw new OAuth2RequestError("invalid_grant", null, null, null);
    return identify(tokens.accessToken(), signal);
  });
  return new Authenticator<OauthIdentity>().use(strategy, provider);
}

/** The beginning of a sign-in at a provider. */
export interface OauthStart {
  /** Address of the provider's page. */
  url: string;
  state: string;
  /** The strategy's own cookie, with the PKCE verifier. */
  handoff: string;
}

/** Begins a sign-in at a provider. Returns null while its sign-in is off. */
export async function startOauth(provider: OauthProvider): Promise<OauthStart | null> {
  const client = findClient(provider);
  if (!client) return null;
  const authenticator = createAuthenticator(provider, client, AbortSignal.timeout(TIMEOUT_MS));
  const thrown: unknown = await authenticator
    .authenticate(provider, new Request(REQUEST_URL))
    .catch((error: unknown) => error);
  if (!(thrown instanceof Response)) throw thrown;
  const url = thrown.headers.get("Location") ?? "";
  const [handoff = ""] = (thrown.headers.get("Set-Cookie") ?? "").split(";");
  const state = new URL(url).searchParams.get("state") ?? "";
  return { url, state, handoff };
}

export type OauthFinish =
  | { status: "identified"; identity: OauthIdentity }
  /** The person pressed "Deny", or closed the provider's page. */
  | { status: "denied" }
  /** The code was used before, or belongs to another client, address or verifier. */
  | { status: "code_refused" }
  /** The provider is off, down, too slow, or returned something unexpected. */
  | { status: "unavailable"; reason: string };

/** Trades the code of a return for the person's identity. The state was checked by the caller. */
export async function finishOauth(
  provider: OauthProvider,
  { query, handoff }: { query: URLSearchParams; handoff: string },
): Promise<OauthFinish> {
  const client = findClient(provider);
  if (!client) return { status: "unavailable", reason: "provider_off" };
  if (query.has("error")) {
    const denied = query.get("error") === "access_denied";
    return denied ? { status: "denied" } : { status: "unavailable", reason: "provider_error" };
  }
  if (!query.get("code")) return { status: "code_refused" };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const authenticator = createAuthenticator(provider, client, signal);
  const request = new Request(`${REQUEST_URL}?${query}`, { headers: { Cookie: handoff } });
  try {
    const call = outgoingFetch(provider);
    // The strategy's request for the token takes neither `fetch` nor signal.
    const identity = await lendFetch(
      (input, init) => call(input, { ...init, signal }),
      () => authenticator.authenticate(provider, request),
    );
    return { status: "identified", identity };
  } catch (error) {
    if (error instanceof OAuth2RequestError) return { status: "code_refused" };
    return { status: "unavailable", reason: signal.aborted ? "timeout" : "provider_failed" };
  }
}
