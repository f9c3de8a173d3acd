import { expect, test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { withoutStep } from "../../helpers/factors";
import { passSessionTime } from "../../helpers/pass-session-time";
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

// SMTP_URL names no server: the outbox keeps what was to be sent.
const app = withOauthServer({
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "Credits <credits@example.com>",
});

const SECURITY = "/en/account/security";
const LINK = { purpose: "link" };

const linksOf = async (email: string) =>
  (
    await app.sql<{ provider: string }>(
      `SELECT provider FROM oauth_accounts o JOIN users u ON u.id = o.user_id
       WHERE u.email = $1 ORDER BY provider`,
      [email],
    )
  ).map(({ provider }) => provider);

const mailedChanges = async (email: string) =>
  (
    await app.sql<{ change: string }>(
      `SELECT data ->> 'change' AS change FROM outbox_emails
       WHERE recipient = $1 AND kind = 'factor_changed' ORDER BY created_at`,
      [email],
    )
  ).map(({ change }) => change);

const age = (email: string) => passSessionTime(app, { email, minutes: 11 });

test("a signed-in person links both providers and signs in with either", async () => {
  const owner = await signUp(app.url);
  const person = newPerson();
  for (const provider of ["github", "google"] as const) {
    expect(await goThrough(owner, provider, person, LINK)).toBe(`${SECURITY}?done=linked`);
    const client = createClient(app.url);
    expect(await goThrough(client, provider, person)).toBe("/en/account");
    expect(await (await client.fetch("/en/account/profile")).text()).toContain(owner.email);
  }
  expect(await linksOf(owner.email)).toEqual(["github", "google"]);
  expect(await mailedChanges(owner.email)).toEqual(["provider_linked", "provider_linked"]);
  const page = await (await owner.fetch(SECURITY)).text();
  expect(page).toContain(person.login);
  expect(page).toContain("Unlink GitHub");
});

test("linking the same account again changes nothing and mails nothing", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  expect(await goThrough(owner, "github", person, LINK)).toBe(`${SECURITY}?done=linked`);
  expect(await linksOf(person.email)).toEqual(["github"]);
  expect(await mailedChanges(person.email)).toEqual([]);
});

test("a second account of a provider is refused", async () => {
  const owner = await signUpWith(app.url, "github");
  expect(await goThrough(owner, "github", newPerson(), LINK)).toBe(
    `${SECURITY}?error=other_linked&provider=github`,
  );
});

test("linking and unlinking need a proof of identity within ten minutes", async () => {
  const owner = await signUp(app.url);
  const person = newPerson();
  await goThrough(owner, "github", person, LINK);
  const begun = await consent(await start(owner, "google", LINK), person);
  await age(owner.email);
  const confirm = `/en/account/confirm?redirectTo=${encodeURIComponent(SECURITY)}`;
  const link = await owner.post("/en/auth/google", LINK);
  expect(withoutStep(link.headers.get("Location"))).toBe(confirm);
  expect(await finish(owner, begun)).toBe(`${SECURITY}?error=not_fresh&provider=google`);
  const unlink = await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(withoutStep(unlink.headers.get("Location"))).toBe(confirm);
  expect(await linksOf(owner.email)).toEqual(["github"]);
  await owner.post("/en/account/confirm", { currentPassword: PASSWORD });
  const again = await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(again.headers.get("Location")).toBe(`${SECURITY}?done=unlinked`);
  expect(await linksOf(owner.email)).toEqual([]);
});

test("unlinking closes that way in, ends other sessions and is mailed", async () => {
  const owner = await signUp(app.url);
  const person = newPerson();
  await goThrough(owner, "github", person, LINK);
  const other = createClient(app.url);
  await goThrough(other, "github", person);
  await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(await isSignedIn(owner)).toBe(true);
  expect(await isSignedIn(other)).toBe(false);
  expect(await mailedChanges(owner.email)).toEqual(["provider_linked", "provider_unlinked"]);
  // The address of the provider's account is not the owner's: a sign-in makes another account.
  await goThrough(other, "github", person);
  expect(await (await other.fetch("/en/account/profile")).text()).not.toContain(owner.email);
});

test("the last way in stays", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const refused = await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(refused.headers.get("Location")).toBe(`${SECURITY}?error=last_way&provider=github`);
  expect(await linksOf(person.email)).toEqual(["github"]);
  const page = await (await owner.fetch(SECURITY)).text();
  expect(page).not.toContain("Unlink GitHub");
  expect(page).toContain("This is your only way to sign in");
  await app.sql(
    `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
     SELECT id, 'key-of-' || id, '\\x00', false, 'key' FROM users WHERE email = $1`,
    [person.email],
  );
  const allowed = await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(allowed.headers.get("Location")).toBe(`${SECURITY}?done=unlinked`);
});

test("of two providers unlinked at once one stays", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  await goThrough(owner, "google", person, LINK);
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      ["github", "google"].map((provider) => owner.post(SECURITY, { intent: "unlink", provider })),
    );
    const [left, ...more] = await linksOf(person.email);
    expect(more).toEqual([]);
    expect(left).toBeDefined();
    await goThrough(owner, left === "github" ? "google" : "github", person, LINK);
  }
});

test("linking and unlinking at once leave one link or none, and a way in", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const address = await consent(await start(owner, "google", LINK), person);
  await Promise.all([
    finish(owner, address),
    owner.post(SECURITY, { intent: "unlink", provider: "github" }),
  ]);
  const links = await linksOf(person.email);
  expect(links).toContain("google");
});

test("of two accounts that link one provider's account at once one gets it", async () => {
  const owners = await Promise.all([signUp(app.url), signUp(app.url)]);
  const person = newPerson();
  const returns = await Promise.all(
    owners.map(async (owner) => consent(await start(owner, "google", LINK), person)),
  );
  const ends = await Promise.all(owners.map((owner, index) => finish(owner, returns[index] ?? "")));
  expect(ends.sort()).toEqual([
    `${SECURITY}?done=linked`,
    `${SECURITY}?error=belongs_to_other&provider=google`,
  ]);
  const links = await app.sql("SELECT 1 FROM oauth_accounts WHERE label = $1", [person.email]);
  expect(links).toHaveLength(1);
});

test("a visitor cannot begin a link", async () => {
  const response = await createClient(app.url).post("/en/auth/github", LINK);
  expect(response.headers.get("Location")).toBe(
    `/en/sign-in?redirectTo=${encodeURIComponent(SECURITY)}`,
  );
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("every change of the sign-in methods, and every refused return, is a security event", async () => {
  const before = app.server.logs.length;
  const { person, ...owner } = await signUpWith(app.url, "github");
  const waiting = await signUp(app.url);
  await goThrough(createClient(app.url), "google", { ...newPerson(), email: waiting.email });
  await goThrough(owner, "github", person, { purpose: "confirm" });
  await goThrough(owner, "google", person, LINK);
  await owner.post(SECURITY, { intent: "unlink", provider: "google" });
  await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  await owner.post(SECURITY, { intent: "setPassword", newPassword: PASSWORD });
  await finish(owner, "/auth/github/callback?code=1&state=made-up");
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  const [claimed] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    waiting.email,
  ]);
  const logs = await app.server.allLogs();
  const events = logs.slice(before).filter(({ event }) => event);
  const userId = user?.id;
  const sessionId = expect.any(String);
  const success = { outcome: "success", userId };
  expect(events).toEqual(
    expect.arrayContaining(
      [
        { event: "sign_up", ...success, way: "github" },
        { event: "sign_in", ...success, way: "github" },
        { event: "account_claimed", outcome: "success", userId: claimed?.id, way: "google" },
        { event: "identity_check", ...success, sessionId, way: "github" },
        { event: "provider_linked", ...success, sessionId, provider: "google" },
        { event: "provider_unlinked", ...success, provider: "google", sessionsEnded: 0 },
        { event: "provider_unlinked", outcome: "failure", userId, reason: "last_way" },
        { event: "password_set", ...success, sessionId },
        { event: "provider_refused", outcome: "failure", reason: "wrong_state" },
      ].map((line) => expect.objectContaining(line)),
    ),
  );
  expect(await mailedChanges(waiting.email)).toEqual(["provider_linked"]);
  expect(JSON.stringify(events)).not.toContain(person.login);
});
