import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { listVariables } from "~/env.server";
import { MIDDLE_PACK, PLAN } from "../../fixtures/sold";
import { type Client, createClient } from "../../helpers/client";
import { PAGE_PATHS } from "../../helpers/page-paths";
import { sendRaw } from "../../helpers/raw-request";
import { storePerson } from "../../helpers/store-person";
import { telltaleEnvironment, telltalesIn } from "../../helpers/telltale-environment";
import { createTestDatabase } from "../../helpers/test-database";
import { startTestServer, type TestServer } from "../../helpers/test-server";

const VALUES = telltaleEnvironment();
const SERVER_ONLY = listVariables().filter(({ name }) => !name.startsWith("NEXT_PUBLIC_"));

/** Values that visitors have to see, and why. Each has to be seen below, or it need not stand here. */
const SHOWN: Record<string, string> = {
  SUPPORT_EMAIL: "people write to it",
  SECURITY_CONTACT: "/.well-known/security.txt is there to name it",
  S3_ENDPOINT: "browsers send files to it and fetch them there",
  S3_BUCKET_NAME: "part of the addresses of public files",
  S3_PRIVATE_BUCKET_NAME: "part of the addresses that files are sent to",
  S3_ACCESS_KEY_ID: "part of signed addresses: it names the key, and signs nothing",
  S3_REGION: "part of signed addresses",
  TURNSTILE_API_BASE: "browsers load the challenge from it",
  GITHUB_OAUTH_BASE: "sign-in at GitHub begins with a redirect there",
  GITHUB_CLIENT_ID: "that redirect names the client",
  GOOGLE_OAUTH_BASE: "as GitHub's",
  GOOGLE_CLIENT_ID: "as GitHub's",
};

const FORMS: Record<string, string>[] = [
  {},
  { email: "a@shop.test", password: "x", intent: "x", sku: "x" },
];

let server: TestServer;
let clients: Client[];
/** Variable → the places where its value was seen. */
const seen = new Map<string, string[]>();

function look(place: string, text: string): void {
  for (const name of telltalesIn(text, VALUES)) seen.set(name, [...(seen.get(name) ?? []), place]);
}

async function lookAt(place: string, response: Response): Promise<string> {
  const text = await response.text();
  look(place, `${response.statusText}\n${JSON.stringify([...response.headers])}\n${text}`);
  return text;
}

async function runSql(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Returns the database's address for a new role whose name and password are telltales. */
async function databaseWithTelltales(): Promise<string> {
  const url = new URL(await createTestDatabase());
  const value = new URL(VALUES.DATABASE_URL ?? "").password;
  await runSql(inject("postgresUrl"), `CREATE ROLE ${value} SUPERUSER LOGIN PASSWORD '${value}'`);
  url.username = value;
  url.password = value;
  return url.href;
}

beforeAll(async () => {
  const { HOST: _host, ...values } = VALUES;
  const databaseUrl = await databaseWithTelltales();
  server = await startTestServer({
    ...values,
    DATABASE_URL: databaseUrl,
    PAYMENTS_PROVIDER: "stripe",
    IMAGE_PROVIDER: "fal",
    NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
    NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
    NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_1",
    NEXT_PUBLIC_TURNSTILE_SITE_KEY: "site-key",
  });
  const user = createClient(server.url);
  const authSecret = VALUES.AUTH_SECRET ?? "";
  user.keep([await storePerson({ databaseUrl, authSecret }, "person@shop.test")]);
  // Only who has a verified address may publish a file.
  await runSql(databaseUrl, "UPDATE users SET email_verified_at = now()");
  clients = [createClient(server.url), user];
});
afterAll(() => server.stop());

test("every secret and key has a telltale value, and it is found in any encoding", () => {
  const without = SERVER_ONLY.filter(({ name }) => !VALUES[name]);
  expect(without.filter(({ secret, key }) => secret || key)).toEqual([]);
  expect(new Set(Object.values(VALUES)).size).toBe(Object.keys(VALUES).length);
  for (const [name, value] of Object.entries(VALUES)) {
    expect(telltalesIn(`a ${value} b`, VALUES)).toEqual([name]);
    expect(telltalesIn(encodeURIComponent(value), VALUES)).toEqual([name]);
    for (const encoding of ["base64", "base64url", "hex"] as const)
      expect(telltalesIn(Buffer.from(value).toString(encoding), VALUES)).toEqual(["encoded"]);
  }
});

/** Every path of the document, with values that lead nowhere. */
async function operations(): Promise<[method: string, path: string][]> {
  const text = await lookAt("openapi", await fetch(`${server.url}/api/openapi.json`));
  const { paths } = JSON.parse(text) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([address, methods]) =>
    Object.keys(methods).map((method): [string, string] => [
      method.toUpperCase(),
      address.replace(/\{\w+\}/g, "x"),
    ]),
  );
}

test("no response shows the value of a server-only variable", { timeout: 180_000 }, async () => {
  const files =
    "robots.txt llms.txt sitemap.xml manifest.webmanifest security-policy.txt healthz readyz";
  const others = [
    ...files.split(" ").map((file) => `/${file}`),
    ...["/", "/.well-known/security.txt", "/nothing", "/api/nothing", "/en/nothing.data"],
    ...["github", "google"].map((provider) => `/auth/${provider}/callback?code=x&state=x`),
    ...["/en?lang=x", "/en/verify-email?token=x", "/en/reset-password?token=x", "/unsubscribe"],
  ];
  const responses: Response[] = [];
  for (const client of clients) {
    for (const page of [...PAGE_PATHS, ...others])
      responses.push(await client.fetch(page), await client.fetch(page, { method: "PUT" }));
    for (const page of PAGE_PATHS.filter((each) => !each.endsWith("sign-out")))
      for (const fields of FORMS)
        for (const form of [page, `${page}.data`]) responses.push(await client.post(form, fields));
    for (const provider of ["github", "google"])
      responses.push(await client.post(`/en/auth/${provider}`, { purpose: "sign-in" }));
    for (const [method, address] of await operations())
      for (const body of method === "GET" ? [undefined] : ["{}", "garbage"]) {
        const headers = { "Content-Type": "application/json", Authorization: "Bearer x" };
        responses.push(await client.fetch(address, { method, headers, ...(body && { body }) }));
      }
    for (const access of ["private", "public"]) {
      const file = { filename: "a.png", contentType: "image/png", contentLength: 3, access };
      const { body } = await client.json("POST", "/api/storage/upload", file);
      look("upload", JSON.stringify(body));
      responses.push(await client.fetch(`/en/files/${body.fileId}/download`));
      responses.push(await client.fetch("/en/files"));
    }
    for (const [path, order] of [
      ["checkout", { skuKey: MIDDLE_PACK.skuKey }],
      ["subscription/checkout", { planKey: PLAN.planKey, period: "month" }],
      ["portal", {}],
    ] as const) {
      const { body } = await client.json("POST", `/api/payments/${path}`, order);
      look(path, JSON.stringify(body));
    }
  }
  for (const response of responses) await lookAt(response.url, response);
  for (const line of ["GARBAGE", "GET /en HTTP/9", `GET /en/\\..\\x HTTP/1.1`])
    look(line, JSON.stringify(await sendRaw(server.url, [line, "Host: localhost"])));
  expect(responses.length).toBeGreaterThan(500);
  expect(new Set(responses.map(({ status }) => status)).size).toBeGreaterThan(6);

  for (const name of Object.keys(SHOWN)) expect(seen.has(name), `${name} is shown`).toBe(true);
  const leaked = [...seen].filter(([name]) => !(name in SHOWN));
  expect(leaked.map(([name, places]) => [name, [...new Set(places)].slice(0, 3)])).toEqual([]);
});

test("what may be shown is no secret", () => {
  const secrets = SERVER_ONLY.filter(({ secret }) => secret).map(({ name }) => name);
  expect(Object.keys(SHOWN).filter((name) => secrets.includes(name))).toEqual([]);
});
