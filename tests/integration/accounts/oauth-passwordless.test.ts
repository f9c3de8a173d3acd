import { afterAll, expect, test } from "vitest";
import { startOauthSandbox } from "../../../scripts/sandbox/oauth/oauth-sandbox";
import { type Client, createClient, PASSWORD, signUp } from "../../helpers/client";
import { codeOf, turnOnTotp, withoutStep } from "../../helpers/factors";
import { passSessionTime } from "../../helpers/pass-session-time";
import { withMailServer } from "../../helpers/with-mail-server";
import { goThrough, isSignedIn, newPerson, signUpWith } from "../../helpers/with-oauth-server";

let stop: () => Promise<void> = async () => {};
const app = withMailServer(async () => {
  const sandbox = await startOauthSandbox({ port: 0 });
  stop = sandbox.stop;
  return sandbox.env;
});
afterAll(() => stop());

const SECURITY = "/en/account/security";
/** Where the forms of that page go on after a proof. */
const GOES_ON = `${SECURITY}?done=confirmed`;
const CONFIRM = "/en/account/confirm";
const confirmFor = (path: string) => `${CONFIRM}?redirectTo=${encodeURIComponent(path)}`;
const age = (email: string) => passSessionTime(app, { email, minutes: 11 });
const locationOf = (response: Response) => response.headers.get("Location");
const signIn = (email: string, password: string) =>
  createClient(app.url).post("/en/sign-in", { email, password });
const setPassword = (client: Client, newPassword = PASSWORD) =>
  client.post(SECURITY, { intent: "setPassword", newPassword });

test("an account without a password sets one, and its other sessions end", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const other = createClient(app.url);
  await goThrough(other, "github", person);
  expect(await (await owner.fetch(SECURITY)).text()).toContain("Set a password");
  const old = owner.cookie();
  expect(locationOf(await setPassword(owner))).toBe(`${SECURITY}?done=passwordSet`);
  expect(await isSignedIn(owner)).toBe(true);
  expect(await isSignedIn(other)).toBe(false);
  const withOld = await fetch(`${app.url}/en/account`, {
    redirect: "manual",
    headers: { Cookie: old },
  });
  expect(withOld.status).toBe(302);
  expect((await signIn(person.email, PASSWORD)).status).toBe(303);
  const mails = await app.sql(
    "SELECT data ->> 'change' AS change FROM outbox_emails WHERE recipient = $1",
    [person.email],
  );
  expect(mails).toContainEqual({ change: "password_set" });
});

test("setting a first password needs a proof of identity within ten minutes", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  await age(person.email);
  expect(locationOf(await setPassword(owner))).toBe(confirmFor(GOES_ON));
  expect((await signIn(person.email, PASSWORD)).status).toBe(400);
});

test("a weak first password is refused", async () => {
  const owner = await signUpWith(app.url, "github");
  for (const newPassword of ["short", "aaaaaaaaaaaaaaaa"])
    expect((await setPassword(owner, newPassword)).status).toBe(400);
});

test("an account with a password cannot get another one without it", async () => {
  const owner = await signUp(app.url);
  await setPassword(owner, "an entirely different phrase");
  expect((await signIn(owner.email, PASSWORD)).status).toBe(303);
});

test("of two first passwords sent at once one counts", async () => {
  const { person, ...owner } = await signUpWith(app.url, "google");
  const passwords = ["first walnut harbour boat", "second walnut harbour boat"];
  await Promise.all(passwords.map((password) => setPassword(owner, password)));
  const responses = await Promise.all(passwords.map((password) => signIn(person.email, password)));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
});

test("a person without a password confirms with their provider", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  await age(person.email);
  const page = await (await owner.fetch(confirmFor(SECURITY))).text();
  expect(page).toContain("Confirm with GitHub");
  expect(page).not.toContain("Confirm with Google");
  const fields = { purpose: "confirm", redirectTo: SECURITY };
  expect(await goThrough(owner, "github", person, fields)).toBe(SECURITY);
  expect(locationOf(await setPassword(owner))).toBe(`${SECURITY}?done=passwordSet`);
});

test("only a linked account of the person confirms", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  await age(person.email);
  const fields = { purpose: "confirm", redirectTo: SECURITY };
  const error = `${CONFIRM}?error=not_linked&provider=github&redirectTo=`;
  expect(await goThrough(owner, "github", newPerson(), fields)).toContain(error);
  const stranger = await signUpWith(app.url, "github");
  expect(await goThrough(owner, "github", stranger.person, fields)).toContain(error);
  expect(locationOf(await setPassword(owner))).toBe(confirmFor(GOES_ON));
});

test("an account with a password confirms with the password, not with a provider", async () => {
  const owner = await signUp(app.url);
  const person = newPerson();
  await goThrough(owner, "github", person, { purpose: "link" });
  await age(owner.email);
  expect(await (await owner.fetch(CONFIRM)).text()).not.toContain("Confirm with GitHub");
  expect(await goThrough(owner, "github", person, { purpose: "confirm" })).toBe(
    `${CONFIRM}?error=has_password&provider=github`,
  );
  const unlink = await owner.post(SECURITY, { intent: "unlink", provider: "github" });
  expect(withoutStep(locationOf(unlink))).toBe(confirmFor(SECURITY));
});

test("an account with an app and no password confirms with the app's code, and with nothing weaker", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const { secret } = await turnOnTotp(app, { ...owner, email: person.email });
  await age(person.email);
  const page = await (await owner.fetch(CONFIRM)).text();
  expect(page).toContain('name="code"');
  for (const weaker of ["Confirm with GitHub", "Email me a link", "currentPassword"])
    expect(page).not.toContain(weaker);
  expect(await goThrough(owner, "github", person, { purpose: "confirm" })).toBe(
    `${CONFIRM}?error=has_password&provider=github`,
  );
  expect(locationOf(await owner.post(`${CONFIRM}/link`, {}))).toBe(CONFIRM);
  expect((await owner.post(CONFIRM, {})).status).toBe(400);
  expect((await owner.post(CONFIRM, { code: "000000" })).status).toBe(400);
  expect(locationOf(await setPassword(owner))).toBe(confirmFor(GOES_ON));

  await owner.post(CONFIRM, { code: codeOf(secret) });
  expect(locationOf(await setPassword(owner))).toBe(`${SECURITY}?done=passwordSet`);
});

test("the form of others confirms nobody who has neither a password nor an app", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  await age(person.email);
  expect(locationOf(await owner.post(CONFIRM, { currentPassword: PASSWORD, code: "000000" }))).toBe(
    CONFIRM,
  );
  expect(locationOf(await setPassword(owner))).toBe(confirmFor(GOES_ON));
});

test("an account without a password ends its other sessions after a fresh proof only", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const other = createClient(app.url);
  await goThrough(other, "github", person);
  await age(person.email);
  expect(locationOf(await owner.post(SECURITY, { intent: "endOthers" }))).toBe(confirmFor(GOES_ON));
  expect(await isSignedIn(other)).toBe(true);
  await goThrough(owner, "github", person, { purpose: "confirm", redirectTo: SECURITY });
  expect(locationOf(await owner.post(SECURITY, { intent: "endOthers" }))).toBe(
    `${SECURITY}?done=ended`,
  );
  expect(await isSignedIn(other)).toBe(false);
});

test("an account without a password deletes itself after a fresh proof only", async () => {
  const { person, ...owner } = await signUpWith(app.url, "google");
  await age(person.email);
  const path = "/en/account/delete";
  expect(locationOf(await owner.post(path, {}))).toBe(confirmFor(path));
  await goThrough(owner, "google", person, { purpose: "confirm", redirectTo: path });
  expect(locationOf(await owner.post(path, {}))).toBe("/en/sign-in?done=deleted");
  const links = await app.sql("SELECT 1 FROM oauth_accounts WHERE label = $1", [person.email]);
  expect(links).toEqual([]);
  // The same person starts anew.
  expect(await goThrough(createClient(app.url), "google", person)).toBe("/en/account");
});

test("a sign-in during the deletion leaves no session on the deleted account", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const others = [createClient(app.url), createClient(app.url), createClient(app.url)];
  await Promise.all([
    owner.post("/en/account/delete", {}),
    ...others.map((other) => goThrough(other, "github", person)),
  ]);
  const ghosts = await app.sql(
    `SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE u.email LIKE 'deleted-%@deleted.invalid'`,
  );
  expect(ghosts).toEqual([]);
});

test("a link read before the deletion starts no session after it", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const [link] = await app.sql("SELECT * FROM oauth_accounts WHERE label = $1", [person.login]);
  await owner.post("/en/account/delete", {});
  await app.sql(
    `INSERT INTO oauth_accounts (user_id, provider, provider_account_id)
     VALUES ($1, 'github', $2)`,
    [link?.user_id, link?.provider_account_id],
  );
  const client = createClient(app.url);
  expect(await goThrough(client, "github", person)).toBe(
    "/en/sign-in?error=expired&provider=github",
  );
  expect(await isSignedIn(client)).toBe(false);
});

test("an account without a password is recovered by a link that sets one", async () => {
  const { person } = await signUpWith(app.url, "github");
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 1);
  const response = await createClient(app.url).post(link, { password: PASSWORD });
  expect(response.status).toBe(303);
  expect((await signIn(person.email, PASSWORD)).status).toBe(303);
  expect(await goThrough(createClient(app.url), "github", person)).toBe("/en/account");
});

test("the export names the linked accounts", async () => {
  const { person, ...owner } = await signUpWith(app.url, "github");
  const { body } = await owner.json("GET", "/en/account/export");
  expect(body.signInProviders).toMatchObject([{ provider: "github", label: person.login }]);
});
