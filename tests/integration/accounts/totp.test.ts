import { expect, test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import {
  codeOf,
  giveCode,
  givePassword,
  isSignedIn,
  passStep,
  recoveryCodesIn,
  signUpWithTotp,
  startTotp,
} from "../../helpers/factors";
import { startTestServer } from "../../helpers/test-server";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer();
const PAGE = "/en/account/security/totp";

const mailedChanges = async (email: string) => {
  const rows = await app.sql<{ change: string }>(
    `SELECT data ->> 'change' AS change FROM outbox_emails
     WHERE kind = 'factor_changed' AND recipient = $1 ORDER BY created_at`,
    [email],
  );
  return rows.map(({ change }) => change);
};

test("an app is on after its first code, ends all other sessions, and tells the owner", async () => {
  const person = await signUp(app.url);
  const other = await givePassword(app, person.email);
  const secret = await startTotp(person);
  expect(await isSignedIn(await givePassword(app, person.email))).toBe(true);

  const wrong = await person.post(PAGE, { intent: "confirm", code: "000000" });
  expect([wrong.status, await mailedChanges(person.email)]).toEqual([400, []]);
  const right = await person.post(PAGE, { intent: "confirm", code: codeOf(secret) });
  expect(right.status).toBe(200);
  expect(recoveryCodesIn(await right.text())).toHaveLength(10);
  expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false]);
  expect(await mailedChanges(person.email)).toEqual(["totp_added"]);

  const page = await (await person.fetch(PAGE)).text();
  expect(page).not.toContain(secret);
  expect(page).toContain("You have 10 recovery codes left.");
});

test("each start makes another secret, whose code alone turns the app on", async () => {
  const person = await signUp(app.url);
  const [first, second] = [await startTotp(person), await startTotp(person)];
  expect(first).not.toBe(second);
  const confirm = (secret: string) =>
    person.post(PAGE, { intent: "confirm", code: codeOf(secret) });
  expect((await confirm(first)).status).toBe(400);
  expect((await confirm(second)).status).toBe(200);
});

test("a setup that waited a quarter of an hour starts over", async () => {
  const person = await signUp(app.url);
  const secret = await startTotp(person);
  await app.sql("UPDATE totp_factors SET created_at = now() - interval '15 minutes'");
  const late = await person.post(PAGE, { intent: "confirm", code: codeOf(secret) });
  expect([late.status, late.headers.get("location")]).toEqual([303, PAGE]);
  expect(await (await person.fetch(PAGE)).text()).not.toContain(secret);
});

test("an app that is on is not replaced by starting again", async () => {
  const person = await signUpWithTotp(app);
  await person.post(PAGE, { intent: "start" });
  const client = await givePassword(app, person.email);
  expect((await giveCode(client, codeOf(person.secret))).status).toBe(303);
});

test("the database holds neither the secret nor a recovery code", async () => {
  const person = await signUpWithTotp(app);
  const tables = ["totp_factors", "recovery_codes", "auth_challenges", "outbox_emails"];
  for (const table of tables) {
    const [{ text } = { text: "" }] = await app.sql<{ text: string }>(
      `SELECT string_agg(t::text, '') AS text FROM ${table} t`,
    );
    for (const secret of [person.secret, ...person.recoveryCodes]) {
      expect(text ?? "").not.toContain(secret);
      expect(text ?? "").not.toContain(Buffer.from(secret).toString("hex"));
    }
  }
  expect(JSON.stringify(await app.server.allLogs())).not.toContain(person.secret);
});

test("new recovery codes void the old ones, and both changes are mailed", async () => {
  const person = await signUpWithTotp(app);
  const response = await person.post(PAGE, { intent: "codes" });
  const [code = ""] = recoveryCodesIn(await response.text());
  expect(person.recoveryCodes).not.toContain(code);
  const client = await givePassword(app, person.email);
  expect((await giveCode(client, person.recoveryCodes[0] ?? "")).status).toBe(400);
  expect((await giveCode(client, code)).status).toBe(303);
  expect(await mailedChanges(person.email)).toEqual([
    "totp_added",
    "recovery_codes_made",
    "recovery_code_used",
  ]);
});

test("turned off, sign-in takes the password alone, and recovery codes are gone", async () => {
  const person = await signUpWithTotp(app);
  const response = await person.post(PAGE, { intent: "off" });
  expect(response.headers.get("location")).toBe("/en/account/security?done=totpOff");
  expect(await isSignedIn(await givePassword(app, person.email))).toBe(true);
  const left = await app.sql(
    "SELECT 1 FROM recovery_codes r JOIN users u ON u.id = r.user_id WHERE u.email = $1",
    [person.email],
  );
  expect(left).toEqual([]);
  expect(await mailedChanges(person.email)).toEqual(["totp_added", "totp_removed"]);
});

test("under a new AUTH_SECRET no code is right, recovery codes still are, and the page says so", async () => {
  const person = await signUpWithTotp(app);
  const server = await startTestServer({
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: "another-secret-that-is-long-enough-too",
  });
  try {
    const client = createClient(server.url);
    await client.post("/en/sign-in", { email: person.email, password: PASSWORD });
    expect((await giveCode(client, codeOf(person.secret))).status).toBe(400);
    expect((await giveCode(client, person.recoveryCodes[0] ?? "")).status).toBe(303);
    const page = await (await client.fetch(PAGE)).text();
    // The apostrophe is escaped in the page.
    expect(page).toContain("codes no longer work here");
    expect(await server.allLogs()).toContainEqual(
      expect.objectContaining({ event: "second_factor", reason: "totp_unreadable" }),
    );
    expect((await client.post(PAGE, { intent: "off" })).status).toBe(303);
  } finally {
    await server.stop();
  }
});

test("deleting the account removes its factors, and the export lists them without secrets", async () => {
  const person = await signUpWithTotp(app);
  await passStep(app, person.email);
  const text = await (await person.fetch("/en/account/export")).text();
  const account = JSON.parse(text);
  expect(account).toMatchObject({ recoveryCodesLeft: 10, passkeys: [] });
  expect(account.authenticatorApp).toEqual({ confirmedAt: expect.any(String) });
  for (const secret of [person.secret, ...person.recoveryCodes]) expect(text).not.toContain(secret);

  const [{ id } = { id: "" }] = await app.sql<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [person.email],
  );
  expect((await person.post("/en/account/delete", { currentPassword: PASSWORD })).status).toBe(303);
  for (const table of ["totp_factors", "recovery_codes", "passkeys", "auth_challenges"])
    expect(await app.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [id])).toEqual([]);
});
