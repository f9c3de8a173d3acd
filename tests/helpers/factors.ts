import { generateSync } from "otplib";
import { expect } from "vitest";
import { type Authenticator, createAuthenticator } from "./authenticator";
import { type Client, createClient, PASSWORD, signUp } from "./client";
import type { ServerUnderTest } from "./with-test-server";

const TOTP_PAGE = "/en/account/security/totp";
export const PASSKEYS_PAGE = "/en/account/security/passkeys";

export type Person = Client & { email: string };

export interface TotpPerson extends Person {
  secret: string;
  recoveryCodes: string[];
}

/** The app's code, `steps` of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 });
}

/** Forgets the last code used, as if its 30 seconds were over. */
export async function passStep(app: ServerUnderTest, email: string): Promise<void> {
  await app.sql(
    "UPDATE totp_factors SET last_step = 0 WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    [email],
  );
}

/** Makes the user's sessions need a new proof. */
export async function makeStale(app: ServerUnderTest, email: string): Promise<void> {
  await app.sql(
    `UPDATE sessions SET reauthenticated_at = now() - interval '10 minutes'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [email],
  );
}

/** Starts setting up an app and returns the secret that the page shows. */
export async function startTotp(person: Person): Promise<string> {
  expect((await person.post(TOTP_PAGE, { intent: "start" })).status).toBe(303);
  const page = await (await person.fetch(TOTP_PAGE)).text();
  return /secret=([A-Z2-7]{32})/.exec(page)?.[1] ?? "";
}

export const recoveryCodesIn = (page: string): string[] =>
  /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(page)?.[1]?.split("\n") ?? [];

/** A new user who has just turned on an authenticator app. */
export const signUpWithTotp = async (app: ServerUnderTest) =>
  turnOnTotp(app, await signUp(app.url));

/** Turns on an authenticator app. */
export async function turnOnTotp(app: ServerUnderTest, person: Person): Promise<TotpPerson> {
  const secret = await startTotp(person);
  const reply = await person.post(TOTP_PAGE, { intent: "confirm", code: codeOf(secret) });
  expect(reply.status).toBe(200);
  const recoveryCodes = recoveryCodesIn(await reply.text());
  expect(recoveryCodes).toHaveLength(10);
  await passStep(app, person.email);
  return { ...person, secret, recoveryCodes };
}

/** Gives the right password in a new browser, and returns it with the response. */
export async function givePassword(app: ServerUnderTest, email: string, redirectTo = "") {
  const client = createClient(app.url);
  const reply = await client.post("/en/sign-in", { email, password: PASSWORD, redirectTo });
  return { ...client, status: reply.status, location: reply.headers.get("location") };
}

export const giveCode = (client: Client, code: string) => client.post("/en/sign-in/code", { code });

export const isSignedIn = async (client: Client) =>
  (await client.fetch("/en/account")).status === 200;

/** Asks for the options of a passkey. */
export async function passkeyOptions(client: Client, purpose: "sign_in" | "register" | "confirm") {
  const { status, body } = await client.json("POST", "/api/passkeys/options", { purpose });
  return { status, body, challenge: String(body.challenge), user: body.user as { id: string } };
}

/** Adds a passkey of a new authenticator to the signed-in user. */
export async function addPasskey(app: ServerUnderTest, person: Client): Promise<Authenticator> {
  const authenticator = createAuthenticator(app.url);
  const options = await passkeyOptions(person, "register");
  const reply = await person.post(PASSKEYS_PAGE, { response: authenticator.register(options) });
  expect(reply.headers.get("location")).toBe(`${PASSKEYS_PAGE}?done=added`);
  return authenticator;
}

/** The address of the page that asks who is there, without the name of the form that waits. */
export const withoutStep = (location: string | null) =>
  location?.replace(/&step=[\w-]{43}$/, "") ?? null;
