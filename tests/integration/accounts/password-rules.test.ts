import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import {
  BREACHED_PASSWORD,
  type BreachSandbox,
  startBreachSandbox,
} from "../../../scripts/sandbox/passwords/breach-sandbox";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { startTestServer, type TestServer } from "../../helpers/test-server";
import { withMailServer } from "../../helpers/with-mail-server";

let breaches: BreachSandbox;
const app = withMailServer(async () => {
  breaches = await startBreachSandbox({ port: 0 });
  return { PASSWORD_BREACH_CHECK: "true", ...breaches.env };
});
afterAll(() => breaches.stop());

const GUESSABLE = "This password is too easy to guess.";
const BREACHED = "This password appears in a known data breach";

/** The text, as often as the shortest password needs. */
const longEnough = (text: string) => text.repeat(Math.ceil(12 / text.length));
const ONE_WORD = PRODUCT_NAME.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

let people = 0;
const newEmail = () => `walnut.harbour-${people++}@example.com`;

/** Returns the page's first password field, as HTML. */
const passwordInput = (page: string) =>
  page.match(/<input[^>]*>/g)?.find((tag) => tag.includes('type="password"')) ?? "value= missing";

const signUpWith = (password: string, email = newEmail(), url = app.url) =>
  createClient(url).post("/en/sign-up", { email, password });

test.each([
  ["digits in a row", "123456789012"],
  ["a common password with digits", "password1234"],
  ["a row of keys", "qwertyuiop123"],
  ["twelve spaces", "            "],
  ["one thing repeated", "Passw0rd!Passw0rd!"],
  ["a common Spanish word with digits", "contraseña12345"],
  ["the email address", "walnut.harbour@example.com"],
  ["the address's local part with digits", "walnut.harbour123"],
  ["the product's name", longEnough(PRODUCT_NAME)],
  ["the product's name as one word", `${longEnough(ONE_WORD)}1`],
])("%s is no password to sign up with, and the page says why", async (_name, password) => {
  const reply = await signUpWith(password, "walnut.harbour@example.com");
  const page = await reply.text();
  expect(reply.status).toBe(400);
  expect(page).toContain(GUESSABLE);
  expect(page).toContain('value="walnut.harbour@example.com"');
  expect(passwordInput(page)).not.toContain("value=");
  expect(await app.sql("SELECT id FROM users WHERE email = 'walnut.harbour@example.com'")).toEqual(
    [],
  );
});

test("a password is taken exactly as it was typed, however long, with its spaces, case and letters", async () => {
  const email = newEmail();
  const password = ` Ñandú ${"sleeping walrus ".repeat(6)}🦭 `;
  expect((await signUpWith(password, email)).status).toBe(303);
  const signInWith = async (typed: string) =>
    (await createClient(app.url).post("/en/sign-in", { email, password: typed })).status;
  const others = [
    password.trim(),
    password.toLowerCase(),
    password.slice(0, 72),
    password.slice(0, -2),
    password.normalize("NFD"),
  ];
  for (const other of others) expect([other, await signInWith(other)]).toEqual([other, 400]);
  expect(await signInWith(password)).toBe(303);
});

// The stand-in, in this process, has a second to answer.
const IN_TIME = { retry: 2 };

test(
  "a password of a known breach is refused at sign-up, reset and change, and changes nothing",
  IN_TIME,
  async () => {
    const refused = await signUpWith(BREACHED_PASSWORD);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining(BREACHED),
    ]);

    const person = await signUp(app.url);
    const change = (newPassword: string) =>
      person.post("/en/account/security", {
        intent: "password",
        currentPassword: PASSWORD,
        newPassword,
      });
    await app.linkTo(person.email, 1);
    await createClient(app.url).post("/en/forgot-password", { email: person.email });
    const link = await app.linkTo(person.email, 2);
    const reset = (password: string) => createClient(app.url).post(link, { password });
    for (const attempt of [change, reset]) {
      for (const [password, message] of [
        [BREACHED_PASSWORD, BREACHED],
        [person.email, GUESSABLE],
      ] as const) {
        const reply = await attempt(password);
        const page = await reply.text();
        expect(reply.status).toBe(400);
        expect(page).toContain(message);
        expect(passwordInput(page)).not.toContain("value=");
      }
    }
    expect((await person.json("GET", "/api/storage/files")).status).toBe(200);
    expect((await reset("another good password")).status).toBe(303);
  },
);

test(
  "only five characters of the hash leave the server, and padding is asked for",
  IN_TIME,
  async () => {
    breaches.requests.length = 0;
    expect((await signUpWith("a long enough password")).status).toBe(303);
    expect(breaches.requests).toHaveLength(1);
    const [request] = breaches.requests;
    // The first five characters of the password's SHA-1.
    expect(request?.path).toBe("/range/B614E");
    expect(request?.headers["add-padding"]).toBe("true");
    expect(JSON.stringify(request)).not.toContain("long enough");
  },
);

test("sign-in checks no breach list, so a breach found later locks nobody out", async () => {
  const { email } = await signUp(app.url);
  breaches.requests.length = 0;
  expect(
    (await createClient(app.url).post("/en/sign-in", { email, password: PASSWORD })).status,
  ).toBe(303);
  expect(breaches.requests).toEqual([]);
});

async function withServer(
  env: Record<string, string>,
  use: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer({ DATABASE_URL: app.databaseUrl, ...env });
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

test.each([
  ["silent", () => {}],
  ["failing", (response: import("node:http").ServerResponse) => response.writeHead(503).end()],
])(
  "while the breach API is %s people sign up within seconds, and a warning holds no hash",
  async (_name, reply) => {
    const api = createServer((_request, response) => void reply(response));
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    try {
      await withServer(
        { PASSWORD_BREACH_CHECK: "true", PASSWORD_BREACH_API_BASE: base },
        async ({ url, logs, allLogs }) => {
          const began = Date.now();
          expect((await signUpWith(BREACHED_PASSWORD, newEmail(), url)).status).toBe(303);
          expect(Date.now() - began).toBeLessThan(50_000);
          const warnings = () => logs.filter(({ msg }) => String(msg).includes("data breaches"));
          await expect.poll(() => warnings().length).toBe(1);
          expect(JSON.stringify(warnings())).not.toMatch(/range|[0-9A-F]{5,}\b.*sha/i);
          expect(JSON.stringify(await allLogs())).not.toContain(BREACHED_PASSWORD);
        },
      );
    } finally {
      api.closeAllConnections();
      api.close();
    }
  },
);

test("PASSWORD_BREACH_CHECK=false calls no breach API", async () => {
  breaches.requests.length = 0;
  await withServer({ ...breaches.env, PASSWORD_BREACH_CHECK: "false" }, async ({ url }) => {
    expect((await signUpWith(BREACHED_PASSWORD, newEmail(), url)).status).toBe(303);
  });
  expect(breaches.requests).toEqual([]);
});

test("browsers get no part of the password estimator", async () => {
  const folder = "build/client/assets";
  const files = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) {
    const text = await readFile(path.join(folder, name), "utf8");
    expect(text, name).not.toMatch(/zxcvbn|l33t|levenshtein/i);
  }
});
