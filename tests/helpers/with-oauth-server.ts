import { afterAll, beforeEach, expect } from "vitest";
import { type OauthSandbox, startOauthSandbox } from "../../scripts/sandbox/oauth/oauth-sandbox";
import { type Client, createClient } from "./client";
import { type ServerUnderTest, withTestServer } from "./with-test-server";

type Provider = "github" | "google";

interface OauthServerUnderTest extends ServerUnderTest {
  /** The variables with which the server reaches the stand-ins; for further servers. */
  oauthEnv: Record<string, string>;
  /** Makes the provider's next `times` sign-ins (1 by default) show the fault. */
  order(fault: { provider: Provider; fault: string; times?: number }): Promise<void>;
}

/** Starts a server with its own GitHub and Google, which tests can tell to fail. */
export function withOauthServer(
  env: Record<string, string> | (() => Promise<Record<string, string>>) = {},
): OauthServerUnderTest {
  let sandbox: OauthSandbox;
  const control = async (path: string, body?: unknown) => {
    const response = await fetch(`${sandbox.controlUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok) throw new Error(`the sandbox returned: ${await response.text()}`);
  };
  const context = withTestServer(async () => {
    sandbox = await startOauthSandbox({ port: 0 });
    Object.assign(context, { oauthEnv: sandbox.env });
    return { ...sandbox.env, ...(typeof env === "function" ? await env() : env) };
  }) as OauthServerUnderTest;
  Object.assign(context, { order: (fault: unknown) => control("/faults", fault) });
  beforeEach(() => control("/reset"));
  afterAll(() => sandbox.stop());
  return context;
}

export interface ProviderPerson {
  login: string;
  email: string;
  verified?: boolean;
}

let people = 0;

/** A person whom no account of the server knows yet. */
export function newPerson(): ProviderPerson {
  const login = `person-${process.pid}-${Date.now()}-${people++}`;
  return { login, email: `${login}@example.com` };
}

/** Starts at a provider's button and returns the address of the provider's page. */
export async function start(
  client: Client,
  provider: Provider,
  fields: Record<string, string> = {},
): Promise<string> {
  const response = await client.post(`/en/auth/${provider}`, fields);
  expect(response.status).toBe(303);
  return response.headers.get("Location") ?? "";
}

/** Presses Allow (or Deny) on the provider's page and returns the address that it sends the browser to. */
export async function consent(
  page: string,
  person: ProviderPerson,
  decision: "allow" | "deny" = "allow",
): Promise<string> {
  const url = new URL(page);
  const form = new URLSearchParams(url.search);
  form.set("decision", decision);
  form.set("login", person.login);
  form.set("email", person.email);
  form.set("verified", person.verified === false ? "" : "yes");
  const response = await fetch(url.origin + url.pathname, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  expect(response.status, await response.clone().text()).toBe(302);
  return response.headers.get("Location") ?? "";
}

/** The whole way: button, consent, return. Returns the path that the server redirects to at the end. */
export async function goThrough(
  client: Client,
  provider: Provider,
  person: ProviderPerson,
  fields: Record<string, string> = {},
): Promise<string> {
  const page = await start(client, provider, fields);
  return finish(client, await consent(page, person));
}

/** Opens a return address and returns the path that the server redirects to. */
export async function finish(client: Client, address: string): Promise<string> {
  const response = await client.fetch(address);
  expect([302, 303], await response.clone().text()).toContain(response.status);
  return response.headers.get("Location") ?? "";
}

/** Signs a new person up with a provider and returns their client. */
export async function signUpWith(
  url: string,
  provider: Provider,
  person: ProviderPerson = newPerson(),
): Promise<Client & { person: ProviderPerson }> {
  const client = createClient(url);
  expect(await goThrough(client, provider, person)).toBe("/en/account");
  return { ...client, person };
}

/** Whether the client has a session. */
export async function isSignedIn(client: Client): Promise<boolean> {
  return (await client.fetch("/en/account")).status === 200;
}
