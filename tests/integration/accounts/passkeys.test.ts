import { expect, test } from "vitest";
import type { Twist } from "../../helpers/authenticator";
import { createAuthenticator } from "../../helpers/authenticator";
import { type Client, createClient, signUp } from "../../helpers/client";
import {
  addPasskey,
  isSignedIn,
  makeStale,
  PASSKEYS_PAGE,
  passkeyOptions,
  signUpWithTotp,
} from "../../helpers/factors";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer();

const send = (client: Client, response: string, redirectTo = "") =>
  client.post("/en/sign-in/passkey", { response, redirectTo });

const passkeysOf = (email: string) =>
  app.sql<{ id: string; name: string; counter: string }>(
    `SELECT p.id, p.name, p.counter FROM passkeys p JOIN users u ON u.id = p.user_id
     WHERE u.email = $1 ORDER BY p.created_at`,
    [email],
  );

async function failures() {
  const logs = await app.server.allLogs();
  return logs.filter(({ outcome }) => outcome === "failure").map(({ reason }) => reason);
}

test("a passkey alone signs in, without a name or a password, and goes on to the page asked for", async () => {
  const person = await signUp(app.url);
  const authenticator = await addPasskey(app, person);
  const client = createClient(app.url);
  const options = await passkeyOptions(client, "sign_in");
  expect(options.body).toMatchObject({ rpId: "localhost", userVerification: "required" });
  expect(options.body.allowCredentials ?? []).toEqual([]);
  const reply = await send(client, authenticator.sign(options), "/en/files");
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/en/files"]);
  expect(await isSignedIn(client)).toBe(true);
});

test("a passkey with its person checked is two factors: no code is asked for", async () => {
  const person = await signUpWithTotp(app);
  const authenticator = await addPasskey(app, person);
  const client = createClient(app.url);
  await send(client, authenticator.sign(await passkeyOptions(client, "sign_in")));
  expect(await isSignedIn(client)).toBe(true);
});

test.each<[string, Twist, string]>([
  ["given to a page of another origin", { origin: "https://evil.example" }, "not_verified"],
  ["given to the same host's other port", { origin: "http://localhost:1" }, "not_verified"],
  ["of another host", { rpId: "evil.example" }, "not_verified"],
  ["whose device didn't check its person", { verified: false }, "not_verified"],
  ["signed for a registration", { type: "webauthn.create" }, "not_verified"],
  ["that names another account", { userHandle: "AAAAAAAAAAAAAAAAAAAAAA" }, "not_verified"],
  ["that nobody has", { credentialId: "AAAAAAAAAAAAAAAAAAAAAA" }, "unknown_passkey"],
  ["with a challenge of its own", { challenge: "AAAA" }, "wrong_challenge"],
])("a passkey %s signs nobody in", async (_name, twist, reason) => {
  const authenticator = await addPasskey(app, await signUp(app.url));
  const client = createClient(app.url);
  const reply = await send(
    client,
    authenticator.sign(await passkeyOptions(client, "sign_in"), twist),
  );
  expect(reply.status).toBe(400);
  expect(await reply.text()).toContain("We couldn’t accept this passkey.");
  expect(await isSignedIn(client)).toBe(false);
  expect(await failures()).toContain(`passkey_${reason}`);
});

test("a response counts once, also for two who send it at once, and not after its five minutes", async () => {
  const authenticator = await addPasskey(app, await signUp(app.url));
  const [first, second, third] = [
    createClient(app.url),
    createClient(app.url),
    createClient(app.url),
  ];
  const reply = authenticator.sign(await passkeyOptions(first, "sign_in"));
  const responses = await Promise.all([send(first, reply), send(second, reply)]);
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect((await send(third, reply)).status).toBe(400);

  const late = authenticator.sign(await passkeyOptions(third, "sign_in"));
  await app.sql("UPDATE auth_challenges SET expires_at = now()");
  expect((await send(third, late)).status).toBe(400);
  expect(await isSignedIn(third)).toBe(false);
});

test("a counter that went back is refused and logged, also between two responses at once", async () => {
  const person = await signUp(app.url);
  const authenticator = await addPasskey(app, person);
  const client = createClient(app.url);
  const sign = async (counter: number) =>
    authenticator.sign(await passkeyOptions(client, "sign_in"), { counter });
  expect((await send(client, await sign(10))).status).toBe(303);
  for (const counter of [10, 9, 0]) {
    expect((await send(createClient(app.url), await sign(counter))).status).toBe(400);
  }
  expect(await failures()).toContain("passkey_counter_back");
  const twins = [await sign(11), await sign(11)];
  const responses = await Promise.all(twins.map((twin) => send(createClient(app.url), twin)));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await passkeysOf(person.email)).toMatchObject([{ counter: "11" }]);
});

test("an authenticator that keeps no counter signs in again and again", async () => {
  const person = await signUp(app.url);
  const authenticator = createAuthenticator(app.url);
  const response = authenticator.register(await passkeyOptions(person, "register"), { counter: 0 });
  expect((await person.post(PASSKEYS_PAGE, { response })).status).toBe(303);
  for (let time = 0; time < 2; time++) {
    const client = createClient(app.url);
    const options = await passkeyOptions(client, "sign_in");
    expect((await send(client, authenticator.sign(options, { counter: 0 }))).status).toBe(303);
  }
});

test.each<[string, Twist]>([
  ["another origin", { origin: "https://evil.example" }],
  ["another host", { rpId: "evil.example" }],
  ["a device that didn't check its person", { verified: false }],
  ["a challenge of its own", { challenge: "AAAA" }],
])("no passkey is added from %s", async (_name, twist) => {
  const person = await signUp(app.url);
  const options = await passkeyOptions(person, "register");
  const response = createAuthenticator(app.url).register(options, twist);
  expect((await person.post(PASSKEYS_PAGE, { response })).status).toBe(400);
  expect(await passkeysOf(person.email)).toEqual([]);
});

test("a challenge adds one passkey, to the account and in the session that asked for it", async () => {
  const [person, attacker] = [await signUp(app.url), await signUp(app.url)];
  const options = await passkeyOptions(person, "register");
  const response = createAuthenticator(app.url).register(options);
  expect((await attacker.post(PASSKEYS_PAGE, { response })).status).toBe(400);

  const again = await passkeyOptions(person, "register");
  const responses = await Promise.all(
    [1, 2].map(() => {
      const response = createAuthenticator(app.url).register(again);
      return person.post(PASSKEYS_PAGE, { response });
    }),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await passkeysOf(person.email)).toHaveLength(1);
  expect(await passkeysOf(attacker.email)).toEqual([]);
});

test("the options ask for a passkey that is found without a name, on a device that has none yet", async () => {
  const person = await signUp(app.url);
  await addPasskey(app, person);
  const { body } = await passkeyOptions(person, "register");
  expect(body).toMatchObject({
    rp: { id: "localhost" },
    user: { name: person.email },
    attestation: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: [{ type: "public-key" }],
  });
});

test("options to register need a session with a fresh proof, and those to sign in none", async () => {
  const stranger = createClient(app.url);
  expect((await passkeyOptions(stranger, "register")).status).toBe(401);
  expect((await passkeyOptions(stranger, "confirm")).status).toBe(401);
  expect((await passkeyOptions(stranger, "sign_in")).status).toBe(200);
  const person = await signUp(app.url);
  await makeStale(app, person.email);
  const refused = await passkeyOptions(person, "register");
  expect([refused.status, refused.body.code]).toEqual([403, "reauthentication_required"]);
});

test("passkeys are named after the device, renamed and removed by their owner alone, who is told", async () => {
  const [person, stranger] = [await signUp(app.url), await signUp(app.url)];
  const authenticator = await addPasskey(app, person);
  const [passkey] = await passkeysOf(person.email);
  const passkeyId = passkey?.id ?? "";
  expect(passkey?.name).toBe("Passkey");

  const rename = { intent: "rename", passkeyId, name: " Ana's phone " };
  await stranger.post(PASSKEYS_PAGE, rename);
  await stranger.post(PASSKEYS_PAGE, { intent: "remove", passkeyId });
  expect(await passkeysOf(person.email)).toMatchObject([{ name: "Passkey" }]);
  for (const name of ["", "x".repeat(61), "a\u202eb"])
    expect((await person.post(PASSKEYS_PAGE, { ...rename, name })).status).toBe(400);
  expect((await person.post(PASSKEYS_PAGE, rename)).status).toBe(303);
  expect(await passkeysOf(person.email)).toMatchObject([{ name: "Ana's phone" }]);

  expect((await person.post(PASSKEYS_PAGE, { intent: "remove", passkeyId })).status).toBe(303);
  expect(await passkeysOf(person.email)).toEqual([]);
  const client = createClient(app.url);
  await send(client, authenticator.sign(await passkeyOptions(client, "sign_in")));
  expect(await isSignedIn(client)).toBe(false);
});

test("the last way into an account stays, also when two passkeys are removed at once", async () => {
  const person = await signUp(app.url);
  await addPasskey(app, person);
  await addPasskey(app, person);
  await app.sql("UPDATE users SET password_hash = NULL WHERE email = $1", [person.email]);
  const remove = ({ id }: { id: string }) =>
    person.post(PASSKEYS_PAGE, { intent: "remove", passkeyId: id });
  const responses = await Promise.all((await passkeysOf(person.email)).map(remove));
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 409]);
  expect(await passkeysOf(person.email)).toHaveLength(1);
});

test("an account has at most 20 passkeys", async () => {
  const person = await signUp(app.url);
  await app.sql(
    `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
     SELECT id, 'key-' || n, '\\x00', false, 'Key' FROM users, generate_series(1, 20) n WHERE email = $1`,
    [person.email],
  );
  const options = await passkeyOptions(person, "register");
  const response = createAuthenticator(app.url).register(options);
  expect((await person.post(PASSKEYS_PAGE, { response })).status).toBe(409);
});

test("a disabled account gets no session by its passkey", async () => {
  const person = await signUp(app.url);
  const authenticator = await addPasskey(app, person);
  await app.sql("UPDATE users SET disabled_at = now() WHERE email = $1", [person.email]);
  const client = createClient(app.url);
  const reply = await send(client, authenticator.sign(await passkeyOptions(client, "sign_in")));
  expect(reply.status).toBe(403);
  expect(await isSignedIn(client)).toBe(false);
});

test.each(["", "null", "{}", "[]", '{"id":1}', "x".repeat(41_000)])(
  "a response that is none is a 400 (%#)",
  async (response) => {
    expect((await send(createClient(app.url), response)).status).toBe(400);
  },
);

test("a response after the sixty of 15 minutes from one address is a 429", async () => {
  const limited = createClient(app.url);
  expect((await send(limited, "{}")).status).toBe(400);
  await app.sql("UPDATE rate_limits SET count = 60000 WHERE key LIKE 'passkey-sign-in-address:%'");
  expect((await send(limited, "{}")).status).toBe(429);
  await app.sql("DELETE FROM rate_limits WHERE key LIKE 'passkey-sign-in-address:%'");
});
