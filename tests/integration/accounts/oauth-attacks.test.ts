import { createHmac } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { expect, test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
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

const AUTH_SECRET = "secret-of-this-file-that-is-long-enough";
const app = withOauthServer({ AUTH_SECRET });

const EXPIRED = "/en/sign-in?error=expired&provider=github";
const BROWSER = { "Accept-Language": "en" };

test("a return with a state that this browser never got signs nobody in", async () => {
  const attacker = createClient(app.url);
  const address = await consent(await start(attacker, "github"), newPerson());
  // Login CSRF: the victim is lured to the attacker's own return address.
  const victim = createClient(app.url);
  expect(await finish(victim, address)).toBe(EXPIRED);
  expect(await isSignedIn(victim)).toBe(false);
  // The victim's own attempt in between is neither used nor ended by it.
  const own = await consent(await start(victim, "github"), newPerson());
  expect(await finish(victim, address)).toBe(EXPIRED);
  expect(await finish(victim, own)).toBe("/en/account");
});

test("a return works once, even for a browser that keeps its cookie", async () => {
  const client = createClient(app.url);
  const address = await consent(await start(client, "github"), newPerson());
  const headers = { Cookie: client.cookie(), ...BROWSER };
  const [first, ...again] = await Promise.all(
    [1, 2, 3].map(() => fetch(new URL(address), { redirect: "manual", headers })),
  ).then((responses) =>
    responses
      .map((response) => response.headers.get("Location"))
      .sort((a, b) => String(a).length - String(b).length),
  );
  expect(first).toBe("/en/account");
  expect(again).toEqual([EXPIRED, EXPIRED]);
});

test("a return is refused ten minutes after its start, whatever the browser still keeps", async () => {
  const client = createClient(app.url);
  const response = await client.post("/en/auth/github", {});
  const [attributes = ""] = response.headers.getSetCookie();
  for (const attribute of [/Max-Age=600/i, /HttpOnly/i, /SameSite=Lax/i])
    expect(attributes).toMatch(attribute);
  const address = await consent(response.headers.get("Location") ?? "", newPerson());
  const secret = createHmac("sha256", AUTH_SECRET).update("oauth flow cookie").digest("base64url");
  const cookie = createCookie("oauth-github", { secrets: [secret] });
  const flow = (await cookie.parse(client.cookie())) as { startedAt: number };
  const returnAfter = async (minutes: number) => {
    const aged = { ...flow, startedAt: flow.startedAt - minutes * 60_000 };
    const [pair = ""] = (await cookie.serialize(aged)).split(";");
    const headers = { Cookie: pair, ...BROWSER };
    return (await fetch(address, { redirect: "manual", headers })).headers.get("Location");
  };
  expect(await returnAfter(10)).toBe(EXPIRED);
  expect(await returnAfter(9)).toBe("/en/account");
});

test("a cookie that the browser changed is no cookie", async () => {
  const client = createClient(app.url);
  const address = await consent(await start(client, "github"), newPerson());
  const [name = "", value = ""] = client.cookie().split("=", 2);
  const { provider: _provider, ...flow } = JSON.parse(
    Buffer.from(decodeURIComponent(value).split(".")[0] ?? "", "base64").toString(),
  ) as Record<string, unknown>;
  const forged = Buffer.from(JSON.stringify({ ...flow, provider: "github", purpose: "link" }));
  const signature = decodeURIComponent(value).split(".")[1];
  const response = await fetch(address, {
    redirect: "manual",
    headers: {
      Cookie: `${name}=${encodeURIComponent(`${forged.toString("base64")}.${signature}`)}`,
      ...BROWSER,
    },
  });
  expect(response.headers.get("Location")).toBe(EXPIRED);
});

test("another person's code put into one's own return is refused", async () => {
  const victim = createClient(app.url);
  const stolen = await consent(await start(victim, "github"), newPerson());
  const attacker = createClient(app.url);
  const own = new URL(await consent(await start(attacker, "github"), newPerson()));
  own.searchParams.set("code", new URL(stolen).searchParams.get("code") ?? "");
  // PKCE: the code belongs to the victim's verifier.
  expect(await finish(attacker, own.href)).toBe(EXPIRED);
  expect(await isSignedIn(attacker)).toBe(false);
});

test("a code of one provider is worth nothing at the other's return address", async () => {
  const client = createClient(app.url);
  const person = newPerson();
  const fromGoogle = new URL(await consent(await start(client, "google"), person));
  await start(client, "github");
  fromGoogle.pathname = "/auth/github/callback";
  expect(await finish(client, fromGoogle.href)).toBe(EXPIRED);
  // With GitHub's state, too: GitHub never gave out this code.
  const page = await start(client, "github");
  fromGoogle.searchParams.set("state", new URL(page).searchParams.get("state") ?? "");
  expect(await finish(client, fromGoogle.href)).toBe(EXPIRED);
  expect(await isSignedIn(client)).toBe(false);
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/.//evil.example",
])("the way back %j stays on this site", async (redirectTo) => {
  const client = createClient(app.url);
  expect(await goThrough(client, "github", newPerson(), { redirectTo })).toBe("/en/account");
  const other = createClient(app.url);
  const page = await start(other, "github", { redirectTo });
  const end = await finish(other, await consent(page, newPerson(), "deny"));
  expect(end).toBe("/en/sign-in?error=denied&provider=github");
});

test("a way back on this site is kept through the provider", async () => {
  const client = createClient(app.url);
  const redirectTo = "/en/account/credits?from=provider";
  expect(await goThrough(client, "github", newPerson(), { redirectTo })).toBe(redirectTo);
});

test("another site cannot start a sign-in, and no link can", async () => {
  const cross = await fetch(`${app.url}/en/auth/github`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    body: new URLSearchParams(),
  });
  expect(cross.status).toBe(403);
  const link = await fetch(`${app.url}/en/auth/github`, { redirect: "manual" });
  expect(link.headers.get("Location")).toBe("/en/sign-in");
  expect(link.headers.getSetCookie()).toEqual([]);
});

test("who waits in an unverified account loses every way in to who proves its address", async () => {
  const email = newPerson().email;
  const attacker = createClient(app.url);
  await attacker.post("/en/sign-up", { email, password: PASSWORD });
  const accomplice = { ...newPerson(), email: newPerson().email };
  expect(await goThrough(attacker, "github", accomplice, { purpose: "link" })).toContain("linked");
  const [{ id } = { id: "" }] = await app.sql<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [email],
  );
  await app.sql(
    `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
     VALUES ($1, $2, '\\x00', false, 'attacker')`,
    [id, `attacker-${id}`],
  );
  await app.sql("INSERT INTO totp_factors (user_id, encrypted_secret) VALUES ($1, '\\x00')", [id]);
  await app.sql("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, '\\x00')", [id]);
  await app.sql(
    `INSERT INTO verification_tokens (user_id, purpose, token_hash, expires_at)
     VALUES ($1::uuid, 'reset_password', sha256($1::uuid::text::bytea), now() + interval '1 hour')`,
    [id],
  );
  await app.sql(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale)
     VALUES ($1, 'change_email', 'attacker@example.com', 'en'), ($1, 'receipt', $2, 'en')`,
    [id, email],
  );
  await app.sql(
    "UPDATE users SET name = 'Attacker', held_for_email = true, muted_emails = '{new_device}' WHERE id = $1",
    [id],
  );

  const owner = createClient(app.url);
  const person = { ...newPerson(), email };
  expect(await goThrough(owner, "google", person)).toBe("/en/account");
  expect(await isSignedIn(owner)).toBe(true);
  expect(await isSignedIn(attacker)).toBe(false);
  const again = await attacker.post("/en/sign-in", { email, password: PASSWORD });
  expect(again.status).toBe(400);
  const asOther = createClient(app.url);
  await goThrough(asOther, "github", accomplice);
  const [other] = await app.sql("SELECT user_id FROM oauth_accounts WHERE label = $1", [
    accomplice.login,
  ]);
  expect(other).not.toEqual({ user_id: id });
  const [left] = await app.sql(
    `SELECT (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS passkeys,
       (SELECT count(*)::int FROM totp_factors WHERE user_id = u.id) AS totp,
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS codes,
       (SELECT count(*)::int FROM verification_tokens WHERE user_id = u.id) AS links,
       (SELECT array_agg(kind) FROM outbox_emails WHERE user_id = u.id) AS mails,
       (SELECT array_agg(provider) FROM oauth_accounts WHERE user_id = u.id) AS providers,
       password_hash, name, held_for_email, muted_emails, email_verified_at IS NOT NULL AS verified
     FROM users u WHERE id = $1`,
    [id],
  );
  expect(left).toEqual({
    passkeys: 0,
    totp: 0,
    codes: 0,
    links: 0,
    mails: ["receipt"],
    providers: ["google"],
    password_hash: null,
    name: person.login,
    held_for_email: false,
    muted_emails: [],
    verified: true,
  });
});

test("an unproved address takes over no account", async () => {
  const victim = await signUp(app.url);
  const client = createClient(app.url);
  const person = { ...newPerson(), email: victim.email, verified: false };
  expect(await goThrough(client, "google", person)).toBe(
    "/en/sign-in?error=email_unverified&provider=google",
  );
  expect(await isSignedIn(victim)).toBe(true);
});

test("a disabled unverified account is not handed over", async () => {
  const disabled = await signUp(app.url);
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [disabled.email]);
  const person = { ...newPerson(), email: disabled.email };
  expect(await goThrough(createClient(app.url), "google", person)).toBe(
    "/en/sign-in?error=account_disabled&provider=google",
  );
  const [user] = await app.sql(
    "SELECT password_hash IS NOT NULL AS has_password, email_verified_at FROM users WHERE email = $1",
    [disabled.email],
  );
  expect(user).toEqual({ has_password: true, email_verified_at: null });
});

test("a link begun in one session cannot be finished in another", async () => {
  const victim = await signUp(app.url);
  const attacker = await signUp(app.url);
  const address = await consent(await start(attacker, "github", { purpose: "link" }), newPerson());
  // The attacker plants their cookie in the victim's browser: the session differs.
  const flow = attacker
    .cookie()
    .split("; ")
    .find((pair) => pair.startsWith("oauth-github="));
  const session = victim.cookie();
  const response = await fetch(address, {
    redirect: "manual",
    headers: { Cookie: `${session}; ${flow}` },
  });
  expect(response.headers.get("Location")).toBe(
    "/en/account/security?error=expired&provider=github",
  );
  const links = await app.sql(
    "SELECT 1 FROM oauth_accounts o JOIN users u ON u.id = o.user_id WHERE u.email = ANY ($1)",
    [[victim.email, attacker.email]],
  );
  expect(links).toEqual([]);
});

test("a provider's account of somebody else is not linked", async () => {
  const owner = await signUpWith(app.url, "github");
  const other = await signUp(app.url);
  expect(await goThrough(other, "github", owner.person, { purpose: "link" })).toBe(
    "/en/account/security?error=belongs_to_other&provider=github",
  );
  const page = await other.fetch("/en/account/security?error=belongs_to_other&provider=github");
  expect(await page.text()).toContain("This GitHub account is linked to another account here");
});

test("a made-up error code in an address shows no message", async () => {
  const page = await fetch(`${app.url}/en/sign-in?error=%3Cb%3Epay+here&provider=github`);
  expect(await page.text()).not.toMatch(/<(?:p|div)(?![^>]* hidden)[^>]*role="alert"/);
});
