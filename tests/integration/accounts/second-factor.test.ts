import { expect, test } from "vitest";
import { hashToken } from "~/utils/token.server";
import { createClient, PASSWORD } from "../../helpers/client";
import {
  codeOf,
  giveCode,
  givePassword,
  isSignedIn,
  passStep,
  signUpWithTotp,
} from "../../helpers/factors";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });

const EXPIRED = "/en/sign-in?done=codeExpired";
const statusesOf = (responses: Response[]) => responses.map(({ status }) => status).sort();

test("the password alone starts no session; the code then does, and goes on where the person wanted to", async () => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email, "/en/files");
  expect([client.status, client.location]).toEqual([
    303,
    "/en/sign-in/code?redirectTo=%2Fen%2Ffiles",
  ]);
  expect(await isSignedIn(client)).toBe(false);
  const response = await giveCode(client, codeOf(person.secret));
  expect([response.status, response.headers.get("location")]).toEqual([303, "/en/files"]);
  expect(await isSignedIn(client)).toBe(true);
});

test("a code works once, also for two who give it at once, and in a second sign-in", async () => {
  const person = await signUpWithTotp(app);
  const [first, second] = [
    await givePassword(app, person.email),
    await givePassword(app, person.email),
  ];
  const code = codeOf(person.secret);
  const responses = await Promise.all([giveCode(first, code), giveCode(second, code)]);
  expect(statusesOf(responses)).toEqual([303, 400]);
  const third = await givePassword(app, person.email);
  expect((await giveCode(third, code)).status).toBe(400);
  expect((await giveCode(third, codeOf(person.secret, -1))).status).toBe(400);
  expect(await isSignedIn(third)).toBe(false);
  expect(await app.server.allLogs()).toContainEqual(
    expect.objectContaining({ event: "second_factor", reason: "totp_replayed" }),
  );
});

test("a recovery code works once, also for two who give it at once", async () => {
  const person = await signUpWithTotp(app);
  const [code = ""] = person.recoveryCodes;
  const clients = [await givePassword(app, person.email), await givePassword(app, person.email)];
  const responses = await Promise.all(
    clients.map((client) => giveCode(client, code.toLowerCase())),
  );
  expect(statusesOf(responses)).toEqual([303, 400]);
  expect((await giveCode(await givePassword(app, person.email), code)).status).toBe(400);
});

test("a recovery code of 16 characters, as they were made before, works once", async () => {
  const person = await signUpWithTotp(app);
  const code = "7KQM-2F9D-X0RA-HT3C";
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  await app.sql("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", [
    user?.id,
    hashToken(`recovery code ${user?.id} ${code.replaceAll("-", "")}`),
  ]);
  const client = await givePassword(app, person.email);
  expect((await giveCode(client, code)).status).toBe(303);
  expect((await giveCode(await givePassword(app, person.email), code)).status).toBe(400);
});

test("a code or recovery code of another account is wrong, with the same message", async () => {
  const [person, attacker] = [await signUpWithTotp(app), await signUpWithTotp(app)];
  const client = await givePassword(app, person.email);
  for (const code of [codeOf(attacker.secret), attacker.recoveryCodes[0] ?? "", "nonsense"]) {
    const response = await giveCode(client, code);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This code is wrong, or you’ve used it before.");
  }
});

test("one sign-in has five tries, however many are made at once; the sixth starts over", async () => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email);
  const responses = await Promise.all(Array.from({ length: 7 }, () => giveCode(client, "no code")));
  expect(statusesOf(responses)).toEqual([303, 303, 400, 400, 400, 400, 400]);
  const right = await giveCode(client, codeOf(person.secret));
  expect(right.headers.get("location")).toBe(EXPIRED);
  expect(await isSignedIn(client)).toBe(false);
});

test("an account takes ten wrong codes in 15 minutes from everywhere, and its recovery codes still work", async () => {
  const person = await signUpWithTotp(app);
  const clients = await Promise.all(
    Array.from({ length: 3 }, () => givePassword(app, person.email)),
  );
  const guesses = clients.flatMap((client) =>
    Array.from({ length: 4 }, () => giveCode(client, "000000")),
  );
  const responses = await Promise.all(guesses);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
  const owner = await givePassword(app, person.email);
  expect((await giveCode(owner, codeOf(person.secret))).status).toBe(429);
  expect((await giveCode(owner, person.recoveryCodes[0] ?? "")).status).toBe(303);
});

test("wrong codes of somebody who knows the password never lock the owner's browser out, and the owner is told once", async () => {
  const person = await signUpWithTotp(app);
  const { email } = person;
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [email]);
  const own = await givePassword(app, email);
  expect((await giveCode(own, codeOf(person.secret))).status).toBe(303);
  await passStep(app, email);

  const guess = async (code: string, times: number) => {
    const responses = [];
    let stranger = await givePassword(app, email);
    for (let n = 0; n < times; n++) {
      if (n > 0 && n % 5 === 0) stranger = await givePassword(app, email);
      responses.push((await giveCode(stranger, code)).status);
    }
    return responses;
  };
  const notices = () =>
    app.mailsTo(email).filter(({ subject }) => subject.includes("knows your password"));
  expect(await guess("000000", 4)).toEqual(Array(4).fill(400));
  expect(await app.sql("SELECT 1 FROM outbox_emails WHERE kind = 'password_known'")).toEqual([]);
  expect(await guess("000000", 7)).toEqual([...Array(6).fill(400), 429]);
  expect(await guess("aaaa-bbbb-cccc-dddd", 11)).toEqual([...Array(10).fill(400), 429]);
  await expect.poll(() => notices().length).toBe(1);
  const entered = [];
  for (let n = 0; n < 21; n++) entered.push((await givePassword(app, email)).status);
  expect(entered.at(-1)).toBe(429);
  expect(await app.sql("SELECT 1 FROM outbox_emails WHERE kind = 'password_known'")).toHaveLength(
    1,
  );

  const again = async (code: string) => {
    expect((await own.post("/en/sign-in", { email, password: PASSWORD })).status).toBe(303);
    return (await giveCode(own, code)).status;
  };
  expect(await again(codeOf(person.secret))).toBe(303);
  expect(await again(person.recoveryCodes[0] ?? "")).toBe(303);
  // The browser's own codes are limited, too.
  const responses = [];
  for (let n = 0; n < 11; n++) responses.push(await again("000000"));
  expect(responses).toEqual([...Array(10).fill(400), 429]);
  await passStep(app, email);
  expect(await app.sql("SELECT 1 FROM outbox_emails WHERE kind = 'password_known'")).toHaveLength(
    1,
  );
});

test("right codes don't count as wrong ones", async () => {
  const person = await signUpWithTotp(app);
  for (let time = 0; time < 12; time++) {
    const client = await givePassword(app, person.email);
    expect((await giveCode(client, codeOf(person.secret))).status).toBe(303);
    await passStep(app, person.email);
  }
});

test("a sign-in waits ten minutes for its code", async () => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email);
  await app.sql("UPDATE auth_challenges SET expires_at = now()");
  expect((await client.fetch("/en/sign-in/code")).headers.get("location")).toBe(EXPIRED);
  expect((await giveCode(client, codeOf(person.secret))).headers.get("location")).toBe(EXPIRED);
  expect(await isSignedIn(client)).toBe(false);
});

test("only the browser that gave the password can give the code, and its cookie is no other's", async () => {
  const [person, attacker] = [await signUpWithTotp(app), await signUpWithTotp(app)];
  await givePassword(app, person.email);
  const stranger = createClient(app.url);
  const response = await giveCode(stranger, codeOf(person.secret));
  expect(response.headers.get("location")).toBe(EXPIRED);
  const theirs = await givePassword(app, attacker.email);
  expect((await giveCode(theirs, codeOf(person.secret))).status).toBe(400);
  expect(await isSignedIn(theirs)).toBe(false);
});

test.each([
  [
    "a change of password",
    "/en/account/security",
    { intent: "password", currentPassword: PASSWORD, newPassword: "another good password" },
  ],
  [
    "ending all other sessions",
    "/en/account/security",
    { intent: "endOthers", currentPassword: PASSWORD },
  ],
  ["turning the app off and on", "/en/account/security/totp", { intent: "off" }],
])("%s ends a sign-in that waits for its code", async (name, path, fields) => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email);
  expect((await person.post(path, fields as Record<string, string>)).status).toBe(303);
  const response = await giveCode(client, codeOf(person.secret));
  if (name.startsWith("turning")) expect(response.status).toBe(400);
  else expect(response.headers.get("location")).toBe(EXPIRED);
  expect(await isSignedIn(client)).toBe(false);
});

test("a password set by a mailed link doesn't replace the code", async () => {
  const person = await signUpWithTotp(app);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  const waiting = await givePassword(app, person.email);
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const mails = () => app.mailsTo(person.email).map(({ text }) => text);
  await expect.poll(() => mails().some((text) => text.includes("/reset-password"))).toBe(true);
  const link = /http\S+\/reset-password\S+/.exec(mails().join("\n"))?.[0] ?? "";
  const client = createClient(app.url);
  const { pathname, search } = new URL(link);
  const password = "another good password";
  expect((await client.post(pathname + search, { password })).headers.get("location")).toBe(
    "/en/sign-in?done=reset",
  );
  expect(await isSignedIn(client)).toBe(false);
  const response = await client.post("/en/sign-in", { email: person.email, password });
  expect(response.headers.get("location")).toBe("/en/sign-in/code");
  expect(await isSignedIn(client)).toBe(false);
  expect((await giveCode(waiting, codeOf(person.secret))).headers.get("location")).toBe(EXPIRED);
});

test("a password set by a mailed link removes the sign-in methods that a stranger left in an unverified account", async () => {
  const person = await signUpWithTotp(app);
  await app.sql(
    `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
     SELECT id, id::text, 'key', false, 'a stranger''s' FROM users WHERE email = $1`,
    [person.email],
  );
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const link = await app.linkTo(person.email, 1, "reset-password");
  const client = createClient(app.url);
  const password = "another good password";
  expect((await client.post(link, { password })).status).toBe(303);
  const owner = createClient(app.url);
  const response = await owner.post("/en/sign-in", { email: person.email, password });
  expect(response.headers.get("location")).toBe("/en/account");
  const left = `SELECT (SELECT count(*)::int FROM passkeys WHERE user_id = u.id) AS passkeys,
    (SELECT count(*)::int FROM recovery_codes WHERE user_id = u.id) AS codes
    FROM users u WHERE email = $1`;
  expect(await app.sql(left, [person.email])).toEqual([{ passkeys: 0, codes: 0 }]);
});

test("a disabled account gets no session by its code, and the page says so only then", async () => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email);
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [person.email]);
  const response = await giveCode(client, codeOf(person.secret));
  expect(response.headers.get("location")).toBe("/en/sign-in?done=disabled");
  expect(await isSignedIn(client)).toBe(false);
});

test("the same sign-in's right code sent twice at once gives one session", async () => {
  const person = await signUpWithTotp(app);
  const client = await givePassword(app, person.email);
  const [code = "", other = ""] = person.recoveryCodes;
  await Promise.all([giveCode(client, code), giveCode(client, other)]);
  const sessions = await app.sql(
    "SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1",
    [person.email],
  );
  // The one that signed up, and the new one.
  expect(sessions).toHaveLength(2);
});
