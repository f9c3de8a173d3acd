import { createUnsubscribeToken } from "~/models/email-delivery/unsubscribe-token.server";
import { type Client, createClient, newAddress, PASSWORD } from "../client";
import { givePassword } from "../factors";
import { makeLinkToken } from "../make-link";
import type { Flood, Floods } from "./flood";
import { newEmail, type Person, type Stage } from "./stage";

const WRONG = "not the right password";
const GUESSABLE = "password1234";
const CHALLENGE = "cf-turnstile-response";

/** Floods of people without a session, by route and limit. */
export function visitorFloods(stage: Stage): Floods {
  const { app } = stage;
  const visitor = (url = app.url) => createClient(url);
  const signIn = (client: Client, email: string, password: string) =>
    client.post("/en/sign-in", { email, password });

  /** New passwords that are too weak, by the link of a reset. */
  async function weakResets(): ReturnType<Flood> {
    const { email } = await stage.person();
    const token = await makeLinkToken(app, email, "reset_password");
    const client = visitor();
    return () => client.post(`/en/reset-password?token=${token}`, { password: GUESSABLE });
  }

  async function unsubscribe(path: string): ReturnType<Flood> {
    const token = await unsubscribeToken(app, await stage.person());
    return () => visitor().post(`${path}?token=${token}`, {});
  }

  /** An address whose account nobody can use before its link is followed. */
  async function heldAccount(): ReturnType<Flood> {
    const { email } = await stage.person();
    const token = await makeLinkToken(app, email, "verify_email");
    await app.sql(
      "UPDATE users SET held_for_email = true, email_verified_at = NULL WHERE email = $1",
      [email],
    );
    const client = visitor();
    return () => client.post(`/en/verify-email?token=${token}`, { password: WRONG });
  }

  return {
    "POST /{locale}/sign-in": {
      "sign-in-address": async () => {
        const client = visitor();
        return () => signIn(client, newEmail(), WRONG);
      },
      "sign-in-account-address": async () => {
        const client = visitor();
        const email = newEmail();
        return () => signIn(client, email, WRONG);
      },
      "sign-in-device": async () => {
        const { email } = await stage.person();
        const client = await givePassword(app, email);
        await client.post("/en/sign-out", {});
        return () => signIn(client, email, WRONG);
      },
      "sign-in-unproven-address": async () => {
        const { email } = await stage.person();
        // From another address: this one's failures are all sign-ins without the challenge.
        for (let guess = 0; guess < 6; guess++)
          await signIn(visitor(stage.challenged().url), email, WRONG);
        const client = visitor(stage.challenged().url);
        return () => signIn(client, email, WRONG);
      },
      "signed-in-address": async () => {
        const address = newAddress();
        const emails: string[] = [];
        while (emails.length < 16) emails.push((await stage.person()).email);
        return (n) => signIn(createClient(app.url, address), emails[n] ?? "", PASSWORD);
      },
      "signed-in-account": async () => {
        const { email } = await stage.person();
        return () => signIn(visitor(), email, PASSWORD);
      },
      "signed-in-device": async () => {
        const { email } = await stage.person();
        const client = await givePassword(app, email);
        await client.post("/en/sign-out", {});
        return async () => {
          const reply = await signIn(client, email, PASSWORD);
          if (reply.status === 303) await client.post("/en/sign-out", {});
          return reply;
        };
      },
    },
    "POST /{locale}/demo/image-generator": {
      "draft-address": async () => {
        const client = visitor();
        const formKey = "00000000-0000-4000-8000-000000000000";
        const form = { prompt: "a lighthouse", n: "1", size: "square", formKey };
        return () => client.post("/en/demo/image-generator", form);
      },
    },
    "POST /{locale}/demo/text-generator": {
      "draft-address": async () => {
        const client = visitor();
        const formKey = "00000000-0000-4000-8000-000000000000";
        return () => client.post("/en/demo/text-generator", { prompt: "a lighthouse", formKey });
      },
    },
    "POST /{locale}/sign-in/passkey": {
      "passkey-sign-in-address": async () => {
        const client = visitor();
        return () => client.post("/en/sign-in/passkey", { response: "{}" });
      },
    },
    "POST /{locale}/sign-in-link": {
      "sign-in-link-address": async () => {
        const client = visitor();
        return () => client.post("/en/sign-in-link", { email: newEmail() });
      },
      "mailed-link-address": async () => {
        const client = visitor();
        return (n) => client.post(`/en/sign-in-link?token=invented-${n}`, {});
      },
    },
    "POST /{locale}/auth/{provider}": {
      "provider-address": async () => {
        const client = visitor();
        return () => client.post("/en/auth/github", {});
      },
    },
    "POST /{locale}/sign-up": {
      "new-password-address": async () => {
        const client = visitor();
        return () => client.post("/en/sign-up", { email: newEmail(), password: GUESSABLE });
      },
      "sign-up-address": async () => {
        const address = newAddress();
        return () =>
          createClient(app.url, address).post("/en/sign-up", {
            email: newEmail(),
            password: PASSWORD,
          });
      },
      "held-sign-up-address": async () => {
        const client = visitor(stage.challenged().url);
        return () => client.post("/en/sign-up", { email: newEmail(), password: PASSWORD });
      },
    },
    "POST /{locale}/verify-email": {
      "sign-in-account-address": heldAccount,
    },
    "POST /{locale}/forgot-password": {
      "reset-address": async () => {
        const client = visitor();
        return () => client.post("/en/forgot-password", { email: newEmail() });
      },
      "reset-unproven-address": async () => {
        const client = visitor(stage.challenged().url);
        return () => client.post("/en/forgot-password", { email: newEmail(), [CHALLENGE]: "" });
      },
    },
    "POST /{locale}/reset-password": { "new-password-address": weakResets },
    "POST /api/passkeys/options": {
      "passkey-challenge-address": async () => {
        const client = visitor();
        return () => postJson(client, "/api/passkeys/options", { purpose: "sign_in" });
      },
    },
    "POST /unsubscribe": { "unsubscribe-user": () => unsubscribe("/unsubscribe") },
    "POST /{locale}/unsubscribe": { "unsubscribe-user": () => unsubscribe("/en/unsubscribe") },
    "POST /api/payments/confirm": {
      "confirm-payment-address": async () => {
        const client = visitor();
        return (n) => postJson(client, "/api/payments/confirm", { session_id: `invented-${n}` });
      },
    },
  };
}

export function postJson(client: Client, path: string, body: object, method = "POST") {
  return client.fetch(path, {
    method,
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
}

async function unsubscribeToken(app: Stage["app"], { email }: Person): Promise<string> {
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return createUnsubscribeToken({ userId: user?.id ?? "", kind: "receipt" });
}
