import { expect, test } from "vitest";
import { OTHER_LOCALE } from "../../fixtures/languages";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { startTestServer } from "../../helpers/test-server";
import {
  consent,
  finish,
  goThrough,
  isSignedIn,
  newPerson,
  signUpWith,
  start,
  withOauthServer,
} from "../../helpers/with-oauth-server";

const app = withOauthServer({ SIGNUP_CREDITS: "25" });

const usersWith = (email: string) =>
  app.sql<{ id: string; password_hash: string | null; verified: boolean; locale: string }>(
    `SELECT id, password_hash, email_verified_at IS NOT NULL AS verified, locale
     FROM users WHERE email = $1`,
    [email],
  );

test.each(["github", "google"] as const)(
  "a newcomer from %s gets a verified account without a password, and its credits once",
  async (provider) => {
    const client = await signUpWith(app.url, provider);
    expect(await usersWith(client.person.email)).toMatchObject([
      { password_hash: null, verified: true, locale: "en" },
    ]);
    expect(await isSignedIn(client)).toBe(true);
    await client.post("/en/sign-out", {});
    expect(await isSignedIn(client)).toBe(false);
    expect(await goThrough(client, provider, client.person)).toBe("/en/account");
    expect((await client.json("GET", "/api/account/credits")).body.balance).toBe(25);
    expect(await usersWith(client.person.email)).toHaveLength(1);
  },
);

test("two first returns of one person at once make one account", async () => {
  const person = newPerson();
  const clients = [createClient(app.url), createClient(app.url), createClient(app.url)];
  const returns = await Promise.all(
    clients.map(async (client, index) => {
      // Even with another address each time.
      const email = `${index}-${person.email}`;
      return {
        client,
        address: await consent(await start(client, "github"), { ...person, email }),
      };
    }),
  );
  const ends = await Promise.all(returns.map(({ client, address }) => finish(client, address)));
  expect(ends).toEqual(["/en/account", "/en/account", "/en/account"]);
  const rows = await app.sql("SELECT id FROM users WHERE email LIKE $1", [`%${person.email}`]);
  expect(rows).toHaveLength(1);
  const links = await app.sql("SELECT id FROM oauth_accounts WHERE label = $1", [person.login]);
  expect(links).toHaveLength(1);
});

test("a sign-up with a password and one with a provider at once leave one account", async () => {
  const person = newPerson();
  const client = createClient(app.url);
  const address = await consent(await start(client, "google"), person);
  await Promise.all([
    finish(client, address),
    createClient(app.url).post("/en/sign-up", { email: person.email, password: PASSWORD }),
  ]);
  expect(await usersWith(person.email)).toHaveLength(1);
});

test("a provider's later change of address changes nothing here", async () => {
  const client = await signUpWith(app.url, "github");
  await app.order({ provider: "github", fault: "address_changed" });
  expect(await goThrough(createClient(app.url), "github", client.person)).toBe("/en/account");
  expect(await usersWith(client.person.email)).toHaveLength(1);
  expect(await usersWith(`new-${client.person.email}`)).toHaveLength(0);
});

test("an address that the provider has not verified makes no account", async () => {
  for (const provider of ["github", "google"] as const) {
    const person = newPerson();
    const client = createClient(app.url);
    const end = await goThrough(client, provider, { ...person, verified: false });
    expect(end).toBe(`/en/sign-in?error=email_unverified&provider=${provider}`);
    expect(await usersWith(person.email)).toHaveLength(0);
  }
});

test("a linked person signs in even while the provider's address is unverified", async () => {
  const { person } = await signUpWith(app.url, "google");
  await app.order({ provider: "google", fault: "address_unverified" });
  expect(await goThrough(createClient(app.url), "google", person)).toBe("/en/account");
});

test("an address of a verified account is never linked silently", async () => {
  const owner = await signUp(app.url);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [owner.email]);
  const client = createClient(app.url);
  const person = { ...newPerson(), email: owner.email };
  const end = await goThrough(client, "github", person, { redirectTo: "/en/account/security" });
  expect(end).toContain("/en/sign-in?error=email_taken&provider=github&redirectTo=");
  expect(await isSignedIn(client)).toBe(false);
  expect(await app.sql("SELECT 1 FROM oauth_accounts WHERE label = $1", [person.login])).toEqual(
    [],
  );
  expect(await isSignedIn(owner)).toBe(true);
  expect(await (await client.fetch(end)).text()).toContain("then link GitHub under Security");
});

test.each([
  ["denied", "denied"],
  ["wrong_state", "expired"],
  ["no_code", "expired"],
  ["code_used", "expired"],
  ["down", "unavailable"],
  ["down_person", "unavailable"],
  ["no_id", "unavailable"],
  ["slow", "unavailable"],
  ["slow_person", "unavailable"],
])(
  "the fault %s leads back to the sign-in page and leaves nothing behind",
  async (fault, error) => {
    await Promise.all(
      (["github", "google"] as const).map(async (provider) => {
        const person = newPerson();
        const client = createClient(app.url);
        await app.order({ provider, fault });
        const end = await goThrough(client, provider, person);
        expect(end).toBe(`/en/sign-in?error=${error}&provider=${provider}`);
        expect(await isSignedIn(client)).toBe(false);
        expect(await usersWith(person.email)).toHaveLength(0);
        const page = await client.fetch(end);
        expect(page.status).toBe(200);
        expect(await page.text()).toMatch(/role="alert"/);
        // The next attempt works.
        expect(await goThrough(client, provider, person)).toBe("/en/account");
      }),
    );
  },
);

test("the person who presses Deny is not signed in", async () => {
  const client = createClient(app.url);
  const address = await consent(await start(client, "github"), newPerson(), "deny");
  expect(await finish(client, address)).toBe("/en/sign-in?error=denied&provider=github");
});

test("a disabled account stays closed to its provider", async () => {
  const { person } = await signUpWith(app.url, "github");
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [person.email]);
  const client = createClient(app.url);
  const end = await goThrough(client, "github", person);
  expect(end).toBe("/en/sign-in?error=account_disabled&provider=github");
  expect(await isSignedIn(client)).toBe(false);
});

test("the account has the language of the page it was made on, and the provider's name", async () => {
  const client = createClient(app.url);
  const person = newPerson();
  const response = await client.post(`/${OTHER_LOCALE}/auth/google`, {});
  await finish(client, await consent(response.headers.get("Location") ?? "", person));
  const [user] = await app.sql("SELECT locale, name FROM users WHERE email = $1", [person.email]);
  expect(user).toEqual({ locale: OTHER_LOCALE, name: person.login });
});

test("no token of a provider is kept or logged", async () => {
  const { person } = await signUpWith(app.url, "github");
  const [link] = await app.sql("SELECT * FROM oauth_accounts WHERE label = $1", [person.login]);
  expect(Object.keys(link ?? {}).sort()).toEqual([
    "created_at",
    "id",
    "label",
    "last_used_at",
    "provider",
    "provider_account_id",
    "user_id",
  ]);
  const client = createClient(app.url);
  const address = await consent(await start(client, "github"), newPerson());
  await finish(client, address);
  const { searchParams } = new URL(address);
  const logged = JSON.stringify(await app.server.allLogs());
  expect(logged).not.toContain(searchParams.get("code"));
  expect(logged).not.toContain(searchParams.get("state"));
});

test("only providers that are on are offered, and the forms may lead only to them", async () => {
  const only = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    GITHUB_CLIENT_ID: app.oauthEnv.GITHUB_CLIENT_ID ?? "",
    GITHUB_CLIENT_SECRET: app.oauthEnv.GITHUB_CLIENT_SECRET ?? "",
    GOOGLE_CLIENT_ID: "half of a pair".replaceAll(" ", "-"),
  });
  try {
    for (const page of ["sign-in", "sign-up"]) {
      const response = await fetch(`${only.url}/en/${page}`);
      const html = await response.text();
      expect(html).toContain("Continue with GitHub");
      expect(html).not.toContain("Google");
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toMatch(/form-action 'self' https:\/\/github\.com;/);
    }
    const off = await createClient(only.url).post("/en/auth/google", {});
    expect(off.status).toBe(404);
    const unknown = await createClient(only.url).post("/en/auth/gitlab", {});
    expect(unknown.status).toBe(404);
  } finally {
    await only.stop();
  }
});

test("too many starts from one network are refused with a message", async () => {
  const strict = await startTestServer({
    ...app.oauthEnv,
    DATABASE_URL: app.databaseUrl,
    RATE_LIMIT_SCALE: "0.05",
    TRUST_PROXY: "1",
  });
  try {
    const client = createClient(strict.url);
    for (let start = 0; start < 3; start++) {
      const { headers } = await client.post("/en/auth/github", {});
      expect(headers.get("Location")).toContain("/login/oauth/authorize");
    }
    const refused = await client.post("/en/auth/github", {});
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("You sent this too often in a short time");
  } finally {
    await strict.stop();
  }
});
