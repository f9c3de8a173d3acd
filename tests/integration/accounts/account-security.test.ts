import { expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { LAST_LOCALE, OTHER_LOCALE, translatorOf } from "../../fixtures/languages";
import { createClient, signUp } from "../../helpers/client";
import { outboxOf } from "../../helpers/outbox";
import { withMailServer } from "../../helpers/with-mail-server";
import { withTestServer } from "../../helpers/with-test-server";

const app = withMailServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });
const silent = withTestServer();

const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "another good password";
const CHANGE = { intent: "password", currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

async function signIn(email: string, password = PASSWORD) {
  const client = createClient(app.url);
  const { status } = await client.post("/en/sign-in", { email, password });
  return { ...client, status };
}

const isIn = async (client: { fetch(path: string): Promise<Response> }) =>
  (await client.fetch("/en/account")).status === 200;

const idOf = async (email: string) => {
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return row?.id ?? "";
};

const sessionsOf = async (email: string) =>
  app.sql<{ id: string }>("SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at", [
    await idOf(email),
  ]);

test.each(["profile", "security", "data", "delete", "export"])(
  "/account/%s sends strangers to sign in and back",
  async (page) => {
    const response = await fetch(`${app.url}/${OTHER_LOCALE}/account/${page}`, {
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `/${OTHER_LOCALE}/sign-in?redirectTo=%2F${OTHER_LOCALE}%2Faccount%2F${page}`,
    ]);
  },
);

test("changing the password needs the current one, ends other sessions, and voids reset links", async () => {
  const person = await signUp(app.url);
  const other = await signIn(person.email);
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 1, "reset-password");

  const wrong = await person.post("/en/account/security", { ...CHANGE, currentPassword: "wrong" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("That isn’t your current password.");
  expect(await isIn(other)).toBe(true);

  const right = await person.post("/en/account/security", CHANGE);
  expect([right.status, right.headers.get("location")]).toEqual([
    303,
    "/en/account/security?done=password",
  ]);
  expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
  expect((await signIn(person.email)).status).toBe(400);
  expect((await signIn(person.email, NEW_PASSWORD)).status).toBe(303);
  expect((await fetch(app.url + link)).status).toBe(400);
});

test.each([
  ["nothing", {}, 2],
  ["a short new one", { currentPassword: PASSWORD, newPassword: "short" }, 1],
  ["a long new one", { currentPassword: PASSWORD, newPassword: "x".repeat(201) }, 1],
  ["no current one", { newPassword: NEW_PASSWORD }, 1],
])("a change of password with %s is a 400 that names its fields", async (_name, fields, faults) => {
  const person = await signUp(app.url);
  const response = await person.post("/en/account/security", fields as Record<string, string>);
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page.match(/aria-invalid="true"/g)).toHaveLength(faults as number);
  expect(page).not.toContain(PASSWORD);
});

test("the eleventh wrong current password is a 429, and right ones do not count", async () => {
  const person = await signUp(app.url);
  const guess = () =>
    person.post("/en/account/security", { ...CHANGE, currentPassword: "wrong password" });
  const back = { ...CHANGE, newPassword: PASSWORD };
  for (let time = 0; time < 3; time++)
    expect((await person.post("/en/account/security", back)).status).toBe(303);
  // Four at once: the lane of passwords refuses a person's sixth, and a refused one is not a guess.
  const statuses: number[] = [];
  for (let wave = 0; wave < 3; wave++) {
    const responses = await Promise.all(Array.from({ length: 4 }, guess));
    statuses.push(...responses.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  const deletion = await person.post("/en/account/delete", { currentPassword: PASSWORD });
  expect(deletion.status).toBe(429);
});

test("of two password changes at once one wins, and the other has to sign in since its session ended", async () => {
  const person = await signUp(app.url);
  const passwords = ["the first good password", "the second good password"];
  const responses = await Promise.all(
    passwords.map((newPassword) => person.post("/en/account/security", { ...CHANGE, newPassword })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([302, 303]);
  const loser = responses.find(({ status }) => status === 302);
  expect(loser?.headers.get("location")).toMatch(/^\/en\/sign-in\?/);
  const winner = passwords[responses.findIndex(({ status }) => status === 303)] ?? "";
  expect((await signIn(person.email, winner)).status).toBe(303);
});

test("sessions are listed, ended one by one, and all others at once", async () => {
  const person = await signUp(app.url);
  const [second, third] = [await signIn(person.email), await signIn(person.email)];
  const page = await (await person.fetch("/en/account/security")).text();
  expect(page.match(/type="radio"/g)).toHaveLength(2);
  expect(page).toContain("This device");

  const ids = await sessionsOf(person.email);
  const end = (fields: Record<string, string>) => person.post("/en/account/security", fields);
  const sessionId = ids[1]?.id ?? "";
  expect((await end({ intent: "end", sessionId, currentPassword: PASSWORD })).status).toBe(303);
  expect([await isIn(person), await isIn(second), await isIn(third)]).toEqual([true, false, true]);
  expect((await end({ intent: "endOthers", currentPassword: PASSWORD })).status).toBe(303);
  expect([await isIn(person), await isIn(third)]).toEqual([true, false]);
});

test("a user ends their own session without a password, as by signing out", async () => {
  const person = await signUp(app.url);
  const [own] = await sessionsOf(person.email);
  const response = await person.post("/en/account/security", {
    intent: "end",
    sessionId: own?.id ?? "",
  });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en?done=signed-out"]);
  expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
  expect(response.headers.get("clear-site-data")).toBe('"cache", "storage"');
  expect(await isIn(person)).toBe(false);
});

test.each([
  ["no password", {}],
  ["a wrong password", { currentPassword: "wrong password" }],
])("with %s no other session ends", async (_name, fields) => {
  const person = await signUp(app.url);
  const other = await signIn(person.email);
  const [, session] = await sessionsOf(person.email);
  for (const intent of ["end", "endOthers"]) {
    const posted = { intent, sessionId: session?.id ?? "", ...fields };
    const response = await person.post("/en/account/security", posted);
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page.match(/That isn’t your current password/g)).toHaveLength(1);
    expect(page).not.toContain("wrong password");
  }
  expect(await isIn(other)).toBe(true);
});

test("to end one session it has to be chosen", async () => {
  const person = await signUp(app.url);
  const other = await signIn(person.email);
  const fields = { intent: "end", currentPassword: PASSWORD };
  const response = await person.post("/en/account/security", fields);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("Choose the device to sign out.");
  expect(await isIn(other)).toBe(true);
});

test("an account without a password ends its other sessions without one", async () => {
  const person = await signUp(app.url);
  const other = await signIn(person.email);
  await app.sql("UPDATE users SET password_hash = NULL WHERE email = $1", [person.email]);
  const page = await (await person.fetch("/en/account/security")).text();
  expect(page).not.toContain('name="currentPassword"');
  expect((await person.post("/en/account/security", { intent: "endOthers" })).status).toBe(303);
  expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
});

test("each change of password is told to the owner, in their language", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  await person.post("/en/account/security", { ...CHANGE, currentPassword: "wrong password" });
  expect((await person.post("/en/account/security", CHANGE)).status).toBe(303);
  expect(await app.linkTo(person.email, 2)).toBe("/en/forgot-password");
  const [, mail] = app.mailsTo(person.email);
  expect(mail?.subject).toBe(`Your password at ${PRODUCT_NAME} was changed`);
  expect(mail?.text).toMatch(/was changed on \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC\./);
  expect(mail?.text).not.toContain("token");

  await person.post(`/${OTHER_LOCALE}/account/profile`, { name: "", locale: OTHER_LOCALE });
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 3);
  await createClient(app.url).post(link, { password: PASSWORD });
  expect(await app.linkTo(person.email, 4)).toBe(`/${OTHER_LOCALE}/forgot-password`);
  expect(app.mailsTo(person.email)[3]?.subject).toBe(
    translatorOf(OTHER_LOCALE)("mail.passwordChangedSubject", { product: PRODUCT_NAME }),
  );
});

test("an address gets ten notices an hour at most, however often the password changes", async () => {
  const person = await signUp(app.url);
  await app.sql(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale, next_attempt_at)
     SELECT id, 'password_changed', email, 'en', NULL
     FROM users, generate_series(1, 9) WHERE email = $1`,
    [person.email],
  );
  const change = (currentPassword: string, newPassword: string) =>
    person.post("/en/account/security", { intent: "password", currentPassword, newPassword });
  await change(PASSWORD, NEW_PASSWORD);
  await app.linkTo(person.email, 2);
  await change(NEW_PASSWORD, PASSWORD);
  // Requested after the notice that must not be sent; emails are sent in order.
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  await person.post("/en/account/profile", { intent: "verify" });
  await app.linkTo(person.email, 4);
  const notices = app
    .mailsTo(person.email)
    .filter(({ subject }) => subject.includes("was changed"));
  expect(notices).toHaveLength(1);
});

test("a user can't end another user's session", async () => {
  const [person, stranger] = [await signUp(app.url), await signUp(app.url)];
  const [theirs] = await sessionsOf(person.email);
  for (const sessionId of [theirs?.id ?? "", "no-id", "", "' OR 1=1"]) {
    const fields = { intent: "end", sessionId, currentPassword: PASSWORD };
    await stranger.post("/en/account/security", fields);
  }
  expect(await isIn(person)).toBe(true);
});

test("a profile keeps its name, and goes on in the language chosen", async () => {
  const person = await signUp(app.url);
  const saved = await person.post("/en/account/profile", {
    name: "  Ana Pérez ",
    locale: OTHER_LOCALE,
  });
  expect([saved.status, saved.headers.get("location")]).toEqual([
    303,
    `/${OTHER_LOCALE}/account/profile?done=saved`,
  ]);
  const page = await (await person.fetch(`/${OTHER_LOCALE}/account/profile?done=saved`)).text();
  expect(page).toContain('value="Ana Pérez"');
  await person.post(`/${OTHER_LOCALE}/account/profile`, { name: "", locale: LAST_LOCALE });
  const [user] = await app.sql("SELECT name, locale FROM users WHERE email = $1", [person.email]);
  expect(user).toEqual({ name: null, locale: LAST_LOCALE });
});

test.each([
  ["a language we lack", { name: "Ana", locale: "xx" }],
  ["no language", { name: "Ana" }],
  ["a name too long", { name: "x".repeat(101), locale: "en" }],
  ["a name with a line break", { name: "a\nb", locale: "en" }],
  ["a name that turns the line round", { name: "a\u202eb", locale: "en" }],
  ["a name with a null", { name: "a\u0000b", locale: "en" }],
])("a profile with %s is a 400 and changes nothing", async (_name, fields) => {
  const person = await signUp(app.url);
  const response = await person.post("/en/account/profile", fields as Record<string, string>);
  expect(response.status).toBe(400);
  const [user] = await app.sql("SELECT name, locale FROM users WHERE email = $1", [person.email]);
  expect(user).toEqual({ name: null, locale: "en" });
});

test("the sixth verification mail within the hour is a 429, and a verified address needs none", async () => {
  const person = await signUp(app.url);
  const resend = () => person.post("/en/account/profile", { intent: "verify" });
  for (let time = 0; time < 5; time++) expect((await resend()).status).toBe(303);
  const limited = await resend();
  expect(limited.status).toBe(429);
  expect(await limited.text()).toContain("Too many attempts");
  // A link that still waits is replaced by the next one, so fewer than six may have come.
  const areSent = async () => (await outboxOf(app, person.email)).every(({ sent }) => sent);
  await expect.poll(areSent).toBe(true);
  await person.post(await app.linkTo(person.email, app.mailsTo(person.email).length), {});
  expect((await resend()).status).toBe(303);
  expect(await (await person.fetch("/en/account/profile")).text()).toContain("Verified");
});

test("without email the profile says that no address can be verified", async () => {
  const person = await signUp(silent.url);
  const page = await (await person.fetch("/en/account/profile")).text();
  expect(page).toContain("email isn’t set up on this server");
  expect(page).not.toContain('value="verify"');
  expect((await person.post("/en/account/profile", { intent: "verify" })).status).toBe(503);
});
