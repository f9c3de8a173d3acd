import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { MIDDLE_PACK, PLAN_MONTHLY, priceVariable, productVariable } from "../fixtures/sold";

export interface HostileProvider {
  /** Gives the server its address, with this host's name, as every provider's. */
  env(host?: string): Record<string, string>;
  port(): number;
  /** How it responds the paths that begin with a key; any other path gets 404. */
  responses: Record<string, RequestListener>;
  /** The paths that it was asked for. */
  asked: string[];
}

/** A provider of everything for all tests of a file, which responds as one that an attacker has taken over. */
export function withHostileProvider(): HostileProvider {
  const responses: HostileProvider["responses"] = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    request.resume();
    const [, reply] = Object.entries(responses).find(([start]) => path.startsWith(start)) ?? [];
    if (reply) reply(request, response);
    else response.writeHead(404).end("{}");
  });
  const portOf = () => (server.address() as AddressInfo).port;
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: portOf,
    responses,
    asked,
    env: (host = "127.0.0.1") => {
      const at = (path: string) => `http://${host}:${portOf()}/${path}`;
      return {
        GITHUB_CLIENT_ID: "sandbox-client",
        GITHUB_CLIENT_SECRET: "sandbox-secret",
        GITHUB_OAUTH_BASE: at("github"),
        GITHUB_API_BASE: at("github-api"),
        GOOGLE_CLIENT_ID: "sandbox-client",
        GOOGLE_CLIENT_SECRET: "sandbox-secret",
        GOOGLE_OAUTH_BASE: at("google"),
        NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
        IMAGE_PROVIDER_1_KEY: "sandbox-key",
        IMAGE_PROVIDER_1_API_BASE: at("fal"),
        IMAGE_PROVIDER_2_KEY: "sandbox-key",
        IMAGE_PROVIDER_2_API_BASE: at("replicate"),
        PASSWORD_BREACH_CHECK: "true",
        PASSWORD_BREACH_API_BASE: at("breach"),
        NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
        PROVIDER_A_SECRET_KEY: "sk_test_sandbox",
        PROVIDER_A_WEBHOOK_SECRET: "whsec_sandbox",
        PROVIDER_A_API_BASE: at("stripe"),
        [priceVariable(MIDDLE_PACK.skuKey)]: "price_medium",
        [priceVariable(PLAN_MONTHLY)]: `price_${PLAN_MONTHLY}`,
        PROVIDER_B_API_KEY: "creem_test_sandbox",
        PROVIDER_B_WEBHOOK_SECRET: "sandbox",
        PROVIDER_B_API_BASE: at("creem"),
        [productVariable(MIDDLE_PACK.skuKey)]: "prod_medium",
        [productVariable(PLAN_MONTHLY)]: `prod_${PLAN_MONTHLY}`,
        NEXT_PUBLIC_TURNSTILE_SITE_KEY: "sandbox-site-key",
        TURNSTILE_SECRET_KEY: "sandbox-secret",
        TURNSTILE_API_BASE: at("turnstile"),
        CRON_SECRET: "cron-secret-for-tests-only",
      };
    },
  };
}

/** Responds with this JSON. */
export const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(status, { "Content-Type": "application/json" })
      .end(JSON.stringify(body));

/** Sends its caller elsewhere, with the method and body of the request. */
export const redirect =
  (to: string, status = 307): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { Location: to }).end("{}");
