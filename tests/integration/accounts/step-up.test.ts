import { expect, test } from "vitest";
import { writeShown } from "~/services/payments/top-up-form";
import { PACK } from "../../fixtures/sold";
import { createAuthenticator } from "../../helpers/authenticator";
import { PASSWORD, signUp } from "../../helpers/client";
import {
  addPasskey,
  codeOf,
  isSignedIn,
  makeStale,
  PASSKEYS_PAGE,
  type Person,
  passkeyOptions,
  signUpWithTotp,
  type TotpPerson,
  withoutStep,
} from "../../helpers/factors";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const SECURITY = "/en/account/security";
const TOTP = "/en/account/security/totp";
const KEYS = "/en/account/api-keys";
const confirmPage = (redirectTo: string) =>
  `/en/account/confirm?${new URLSearchParams({ redirectTo })}`;

/** Every action of a page that needs a fresh proof, and the page it goes back to. */
const ACTIONS: [string, string, Record<string, string>, string][] = [
  [
    "changing the password",
    SECURITY,
    { intent: "password", currentPassword: PASSWORD, newPassword: "another good password" },
    `${SECURITY}?done=confirmed`,
  ],
  [
    "ending all other sessions",
    SECURITY,
    { intent: "endOthers", currentPassword: PASSWORD },
    `${SECURITY}?done=confirmed`,
  ],
  [
    "ending one session",
    SECURITY,
    { intent: "end", sessionId: "x", currentPassword: PASSWORD },
    `${SECURITY}?done=confirmed`,
  ],
  ["making an API key", KEYS, { intent: "make", name: "x", scopes: "read" }, KEYS],
  ["starting an app", TOTP, { intent: "start" }, TOTP],
  ["turning an app on", TOTP, { intent: "confirm", code: "000000" }, TOTP],
  ["making recovery codes", TOTP, { intent: "codes" }, TOTP],
  ["turning an app off", TOTP, { intent: "off" }, TOTP],
  ["adding a passkey", PASSKEYS_PAGE, { response: "{}" }, PASSKEYS_PAGE],
  [
    "renaming a passkey",
    PASSKEYS_PAGE,
    { intent: "rename", passkeyId: "x", name: "x" },
    PASSKEYS_PAGE,
  ],
  ["removing a passkey", PASSKEYS_PAGE, { intent: "remove", passkeyId: "x" }, PASSKEYS_PAGE],
  [
    "deleting the account",
    "/en/account/delete",
    { currentPassword: PASSWORD },
    "/en/account/delete",
  ],
  ["setting a limit", "/en/account/limits", { monthlyLimit: "5" }, "/en/account/limits"],
  [
    "turning automatic top-up on",
    "/en/account/billing/top-up",
    {
      ...{ intent: "card", threshold: "1", skuKey: PACK.skuKey, monthlyAmount: "9999999" },
      shown: writeShown([PACK]),
    },
    "/en/account/billing/top-up",
  ],
  ["opening the portal", "/en/account/billing", { intent: "portal" }, "/en/account/billing"],
];

/** Pages that show or send what a stranger at an open browser must not see. */
const PAGES: [string, string][] = [
  [TOTP, TOTP],
  ["/en/account/delete", "/en/account/delete"],
  ["/en/account/export", "/en/account/data?done=confirmed"],
];

/** Everything of the account that the actions could change. */
const stateOf = async ({ email }: Person) =>
  app.sql(
    `SELECT u.password_hash, u.email,
       (SELECT count(*) FROM sessions s WHERE s.user_id = u.id) AS sessions,
       (SELECT monthly_limit FROM account_settings l WHERE l.account_id = u.id) AS "limit",
       (SELECT count(*) FROM api_keys k WHERE k.actor_id = u.id) AS keys,
       (SELECT json_agg(t) FROM totp_factors t WHERE t.user_id = u.id) AS totp,
       (SELECT json_agg(r) FROM recovery_codes r WHERE r.user_id = u.id) AS codes,
       (SELECT json_agg(p) FROM passkeys p WHERE p.user_id = u.id) AS passkeys
     FROM users u WHERE u.email = $1`,
    [email],
  );

test.each(ACTIONS)(
  "%s does nothing ten minutes after the last proof, and asks for one",
  async (_name, path, fields, back) => {
    const person = await signUpWithTotp(app);
    await addPasskey(app, person);
    const [passkey] = await app.sql<{ id: string }>(
      "SELECT p.id FROM passkeys p JOIN users u ON u.id = p.user_id WHERE u.email = $1",
      [person.email],
    );
    await makeStale(app, person.email);
    const before = await stateOf(person);
    const posted = {
      ...fields,
      ...(fields.passkeyId ? { passkeyId: passkey?.id ?? "" } : {}),
      ...(fields.code ? { code: codeOf(person.secret) } : {}),
    };
    const reply = await person.post(path, posted);
    expect([reply.status, withoutStep(reply.headers.get("location"))]).toEqual([
      303,
      confirmPage(back),
    ]);
    expect(await stateOf(person)).toEqual(before);
  },
);

test.each(PAGES)("%s shows nothing ten minutes after the last proof", async (path, back) => {
  const person = await signUp(app.url);
  expect((await person.fetch(path)).status).toBe(200);
  await makeStale(app, person.email);
  const reply = await person.fetch(path);
  expect([reply.status, reply.headers.get("location")]).toEqual([303, confirmPage(back)]);
});

test("the portal's JSON route returns 403 reauthentication_required", async () => {
  const person = await signUp(app.url);
  await makeStale(app, person.email);
  const { status, body } = await person.json("POST", "/api/payments/portal");
  expect([status, body.code]).toEqual([403, "reauthentication_required"]);
});

test("a session that is over its proof still ends itself, and reads what isn't sensitive", async () => {
  const person = await signUp(app.url);
  await makeStale(app, person.email);
  for (const path of [SECURITY, PASSKEYS_PAGE, "/en/account/data", "/en/account/billing"])
    expect((await person.fetch(path)).status).toBe(200);
  expect((await person.post("/en/sign-out", {})).status).toBe(303);
  expect(await isSignedIn(person)).toBe(false);
});

test("the password proves it again for ten minutes, gives the session a new token, and goes back", async () => {
  const person = await signUp(app.url);
  await makeStale(app, person.email);
  const old = person.cookie();
  const wrong = await person.post("/en/account/confirm", { currentPassword: "wrong password" });
  expect(wrong.status).toBe(400);
  expect((await person.fetch(TOTP)).status).toBe(303);
  const fields = { currentPassword: PASSWORD, redirectTo: TOTP };
  const right = await person.post("/en/account/confirm", fields);
  expect([right.status, right.headers.get("location")]).toEqual([303, TOTP]);
  expect((await person.fetch(TOTP)).status).toBe(200);
  const stolen = await fetch(`${app.url}/en/account`, {
    headers: { Cookie: old },
    redirect: "manual",
  });
  expect(stolen.status).toBe(302);
});

test.each(["https://evil.example", "//evil.example", "/\\evil.example"])(
  "a proof never leads to %s",
  async (redirectTo) => {
    const person = await signUp(app.url);
    const fields = { currentPassword: PASSWORD, redirectTo };
    const reply = await person.post("/en/account/confirm", fields);
    expect(reply.headers.get("location")).toBe("/en/account");
  },
);

test("an account with an app gives its code, too, once", async () => {
  const person = await signUpWithTotp(app);
  const confirm = async (owner: TotpPerson, code: string) => {
    await makeStale(app, owner.email);
    const fields = { currentPassword: PASSWORD, code };
    return (await owner.post("/en/account/confirm", fields)).status;
  };
  const code = codeOf(person.secret);
  expect([await confirm(person, ""), await confirm(person, "000000")]).toEqual([400, 400]);
  expect((await person.fetch(TOTP)).status).toBe(303);
  expect([await confirm(person, code), await confirm(person, code)]).toEqual([303, 400]);
});

test("a passkey alone proves it, if it is the account's own and was asked for in this session", async () => {
  const [person, attacker] = [await signUp(app.url), await signUp(app.url)];
  const own = await addPasskey(app, person);
  const theirs = await addPasskey(app, attacker);
  await makeStale(app, person.email);
  const confirm = async (response: string) => {
    const fields = { intent: "passkey", response, redirectTo: TOTP };
    return (await person.post("/en/account/confirm", fields)).status;
  };
  const options = () => passkeyOptions(person, "confirm");
  expect(await confirm(theirs.sign(await options()))).toBe(400);
  expect(await confirm(createAuthenticator(app.url).sign(await options()))).toBe(400);
  expect(await confirm(own.sign(await passkeyOptions(attacker, "confirm")))).toBe(400);
  expect(await confirm(own.sign(await passkeyOptions(person, "sign_in")))).toBe(400);
  expect((await person.fetch(TOTP)).status).toBe(303);
  expect(await confirm(own.sign(await options()))).toBe(303);
  expect((await person.fetch(TOTP)).status).toBe(200);
});
