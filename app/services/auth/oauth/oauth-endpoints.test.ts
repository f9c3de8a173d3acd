import { expect, test } from "vitest";
import { parse, type Source } from "#tests/fixtures/env";
import {
  callbackPath,
  enabledProviders,
  githubEndpoints,
  googleEndpoints,
  signInOrigins,
} from "~/services/auth/oauth/oauth-endpoints";

const GITHUB = { GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" };
const GOOGLE = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
const oauthOf = (source: Source) => parse(source).oauth;

test("a provider is on where both of its values are set", () => {
  expect(enabledProviders(oauthOf({ ...GITHUB, ...GOOGLE }))).toEqual(["github", "google"]);
  expect(enabledProviders(oauthOf({ ...GITHUB, GOOGLE_CLIENT_ID: "id" }))).toEqual(["github"]);
  expect(enabledProviders(oauthOf({ GITHUB_CLIENT_SECRET: "secret" }))).toEqual([]);
});

test("forms may lead only to the sign-in pages of providers that are on", () => {
  expect(signInOrigins(oauthOf({ ...GITHUB, ...GOOGLE }))).toEqual([
    "https://github.com",
    "https://accounts.google.com",
  ]);
  expect(signInOrigins(oauthOf(GOOGLE))).toEqual(["https://accounts.google.com"]);
  expect(signInOrigins(oauthOf({}))).toEqual([]);
});

test("codes go to the provider's own token endpoint over TLS, and to a stand-in only if one is set", () => {
  expect(githubEndpoints({ oauthBase: "https://github.com" }).token).toBe(
    "https://github.com/login/oauth/access_token",
  );
  expect(googleEndpoints({ oauthBase: null })).toEqual({
    authorization: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    userinfo: "https://openidconnect.googleapis.com/v1/userinfo",
  });
  const { token, userinfo } = googleEndpoints({ oauthBase: "http://127.0.0.1:4574/google" });
  expect([token, userinfo].map((url) => new URL(url).host)).toEqual([
    "127.0.0.1:4574",
    "127.0.0.1:4574",
  ]);
});

test("each provider has a return address of its own", () => {
  expect(callbackPath("github")).toBe("/auth/github/callback");
  expect(callbackPath("google")).toBe("/auth/google/callback");
});
