import type { RateLimitName } from "~/server/limits/rate-limit-rules";
import { type Client, PASSWORD } from "../client";
import { codeOf, giveCode, givePassword, makeStale, recoveryCodesIn, startTotp } from "../factors";
import { PNG } from "../sample-files";
import { buyerFloods } from "./buyer-floods";
import type { Flood, Floods, Send } from "./flood";
import type { Person, Stage } from "./stage";
import { postJson } from "./visitor-floods";

const WRONG = "not the right password";
const GUESSABLE = "password1234";
const SOME_ID = "00000000-0000-4000-8000-000000000000";
const TOTP_PAGE = "/en/account/security/totp";

/** Wrong codes: of the app, or such as recovery codes look like. */
const CODES: Partial<Record<RateLimitName, string>> = {
  "wrong-code-user": "000000",
  "wrong-code-user-day": "000000",
  "wrong-code-device": "000000",
  "wrong-code-device-day": "000000",
  "wrong-recovery-code-user": "aaaa-bbbb-cccc-dddd",
  "wrong-recovery-code-device": "aaaa-bbbb-cccc-dddd",
};

/** Floods of signed-in people, by route and limit. */
export function personFloods(stage: Stage): Floods {
  const { app } = stage;

  /** A new person's requests. */
  const of =
    (send: (person: Person, n: number) => Promise<Response>, make = stage.person): Flood =>
    async () => {
      const person = await make();
      return (n) => send(person, n);
    };
  const post = (path: string, fields: Record<string, string> = {}, make = stage.person) =>
    of((person) => person.post(path, fields), make);
  const json = (path: string, body: object = {}, method = "POST") =>
    of((person) => postJson(person, path, body, method));
  const get = (path: string) => of((person) => person.fetch(path));
  /** Wants a key when the sign-in is too long ago. */
  const late = (fields: Record<string, string>): Flood =>
    of(
      (person) =>
        person.post("/en/account/api-keys", {
          intent: "make",
          name: "key",
          scopes: "read",
          ...fields,
        }),
      async () => {
        const person = await stage.person();
        await makeStale(app, person.email);
        return person;
      },
    );
  /** A person with an authenticator app; of limits by device, in a browser that signed in before. */
  async function withTotp(limit: RateLimitName): Promise<Client & { email: string }> {
    const { email, ...stored } = await stage.person();
    const browser = limit.includes("-device") ? await givePassword(app, email) : stored;
    const person = { ...browser, email };
    const secret = await startTotp(person);
    const reply = await person.post(TOTP_PAGE, { intent: "confirm", code: codeOf(secret) });
    if (recoveryCodesIn(await reply.text()).length === 0) throw new Error("no app was turned on");
    return person;
  }

  /** The longer limit is met by letting the shorter one's time pass, and the password's. */
  async function passWindow(limit: string) {
    if (!limit.endsWith("-day")) return;
    const shorter = limit.replace("-day", "");
    await app.sql("DELETE FROM rate_limits WHERE key LIKE $1 OR key LIKE 'password-user:%'", [
      `${shorter}:%`,
    ]);
  }

  /** Wrong codes at the step of signing in that asks for one. */
  async function signInCodes(limit: RateLimitName): Promise<Send> {
    const person = await withTotp(limit);
    const { email } = person;
    const known = limit.includes("-device");
    const browser = known ? person : await givePassword(app, email);
    if (known) await browser.post("/en/sign-in", { email, password: PASSWORD });
    return async () => {
      await passWindow(limit);
      // Of one sign-in only five tries count.
      await app.sql("UPDATE auth_challenges SET attempts = 0");
      return giveCode(browser, CODES[limit] ?? "");
    };
  }

  /** Wrong codes of a signed-in person. */
  async function confirmCodes(limit: RateLimitName): Promise<Send> {
    const person = await withTotp(limit);
    return async () => {
      await passWindow(limit);
      const fields = { currentPassword: PASSWORD, code: CODES[limit] ?? "" };
      return person.post("/en/account/confirm", fields);
    };
  }
  async function unverified(): Promise<Person> {
    const person = await stage.person();
    await app.sql("UPDATE users SET email_verified_at = NULL WHERE email = $1", [person.email]);
    return person;
  }

  async function settingUp(): Promise<Person> {
    const person = await stage.person();
    await startTotp(person);
    return person;
  }

  const codes = (by: (limit: RateLimitName) => Promise<Send>) =>
    Object.fromEntries(
      (Object.keys(CODES) as RateLimitName[]).map((limit) => [limit, () => by(limit)]),
    );

  return {
    "POST /{locale}/sign-in/code": codes(signInCodes),
    "POST /api/passkeys/options": {
      "passkey-user": json("/api/passkeys/options", { purpose: "confirm" }),
    },
    "POST /{locale}/verify-email": { "form-session": post("/en/verify-email?token=invented") },
    "POST /{locale}/change-email": { "form-session": post("/en/change-email?token=invented") },
    "POST /{locale}/account/confirm": {
      ...codes(confirmCodes),
      "wrong-password-user": post("/en/account/confirm", { currentPassword: WRONG }),
      "password-user": post("/en/account/confirm", { currentPassword: PASSWORD }),
      "passkey-user": post("/en/account/confirm", { intent: "passkey", response: "{}" }),
    },
    "POST /{locale}/account/confirm/link": {
      "confirm-link-user": post("/en/account/confirm/link", {}, stage.passwordless),
      "form-session": post("/en/account/confirm/link?token=invented"),
    },
    "POST /{locale}/account/profile": {
      "form-session": post("/en/account/profile", { name: "Ada", locale: "en" }),
      "verify-user": post("/en/account/profile", { intent: "verify" }, unverified),
    },
    "POST /{locale}/account/email": {
      "change-email-user": of((person, n) =>
        person.post("/en/account/email", { newEmail: `new-${n}-${person.email}` }),
      ),
    },
    "POST /{locale}/account/data": {
      "form-session": post("/en/account/data", { intent: "refuse" }),
      "support-access-user": post("/en/account/data", { intent: "allow" }),
    },
    "POST /{locale}/account/limits": {
      "form-session": post("/en/account/limits", { monthlyLimit: "nothing" }),
    },
    "POST /{locale}/account/api-keys": {
      "form-session": post("/en/account/api-keys", { intent: "revoke", keyId: SOME_ID }),
      "wrong-password-user": late({ currentPassword: WRONG }),
      "password-user": late({ currentPassword: PASSWORD, name: "again and again" }),
    },
    "POST /{locale}/account/security": {
      "form-session": post(
        "/en/account/security",
        { intent: "end", sessionId: SOME_ID },
        stage.passwordless,
      ),
      "wrong-password-user": post("/en/account/security", {
        currentPassword: WRONG,
        newPassword: GUESSABLE,
      }),
      "password-user": post("/en/account/security", {
        currentPassword: PASSWORD,
        newPassword: GUESSABLE,
      }),
      "new-password-address": post(
        "/en/account/security",
        { intent: "setPassword", newPassword: GUESSABLE },
        stage.passwordless,
      ),
    },
    "POST /{locale}/account/security/passkeys": {
      "form-session": post("/en/account/security/passkeys", {
        intent: "rename",
        passkeyId: SOME_ID,
        name: "key",
      }),
    },
    "POST /{locale}/account/security/totp": {
      "form-session": post(TOTP_PAGE, { intent: "start" }),
      "wrong-code-user": of(async (person) => {
        return person.post(TOTP_PAGE, { intent: "confirm", code: "000000" });
      }, settingUp),
    },
    "GET /{locale}/account/export": { "export-user": get("/en/account/export") },
    "GET /{locale}/account/credits.csv": { "credits-csv-user": get("/en/account/credits.csv") },
    "GET /{locale}/account/usage.csv": { "usage-csv-user": get("/en/account/usage.csv") },
    "GET /api/account/credits": { "list-user": get("/api/account/credits") },
    "POST /{locale}/account/delete": {
      "delete-account-user": post("/en/account/delete", { currentPassword: WRONG }),
    },
    ...buyerFloods(stage, { post, json }),
    "POST /{locale}/files": {
      "upload-user": of((person) => {
        const body = new FormData();
        body.set("file", new Blob([PNG], { type: "image/png" }), "a.png");
        body.set("access", "private");
        return person.fetch("/en/files", { method: "POST", body });
      }),
      "confirm-upload-user": post("/en/files", { intent: "confirm", fileId: SOME_ID }),
    },
    "POST /api/storage/upload": {
      "upload-user": json("/api/storage/upload", {
        filename: "a.png",
        contentType: "image/png",
        contentLength: 70,
      }),
    },
    "POST /api/storage/confirm": {
      "confirm-upload-user": json("/api/storage/confirm", { fileId: SOME_ID }),
    },
    "GET /api/storage/files": { "list-user": get("/api/storage/files") },
    "DELETE /api/storage/files/{fileId}": {
      "delete-file-user": json(`/api/storage/files/${SOME_ID}`, {}, "DELETE"),
    },
    "POST /{locale}/files/{fileId}/delete": {
      "delete-file-user": post(`/en/files/${SOME_ID}/delete`),
    },
    "GET /{locale}/demo/image-generator/download": {
      "zip-user": get(`/en/demo/image-generator/download?id=${SOME_ID}`),
    },
    "POST /{locale}/demo/image-generator/delete": {
      "delete-file-user": post(`/en/demo/image-generator/delete?id=${SOME_ID}`),
    },
    "POST /{locale}/files/{fileId}/access": {
      "image-access-user": post(`/en/files/${SOME_ID}/access`, { access: "private" }),
    },
    "POST /{locale}/account/images": {
      "image-access-user": post("/en/account/images", { intent: "all", access: "private" }),
    },
    "POST /{locale}/demo/image-generator": {
      "run-image-user": of((person, n) =>
        person.post("/en/demo/image-generator", {
          prompt: "a lighthouse",
          n: "1",
          size: "square",
          formKey: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
        }),
      ),
    },
    "POST /api/generate-image": {
      "run-image-user": json("/api/generate-image", { prompt: "a lighthouse" }),
    },
    "POST /{locale}/demo/text-generator": {
      "run-text-user": of((person, n) =>
        person.post("/en/demo/text-generator", {
          prompt: "a lighthouse",
          formKey: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
        }),
      ),
      "form-session": post("/en/demo/text-generator", { delete: SOME_ID }),
    },
    "POST /api/generate-text": {
      "run-text-user": json("/api/generate-text", { prompt: "a lighthouse" }),
    },
    "POST /api/estimate": {
      "estimate-user": json("/api/estimate", { action: "text", input: { prompt: "a lighthouse" } }),
    },
    "GET /api/runs": { "list-user": get("/api/runs") },
    "GET /api/runs/{runId}": { "run-user": get(`/api/runs/${SOME_ID}`) },
    "GET /api/images/{generationId}/{index}": { "picture-user": get(`/api/images/${SOME_ID}/0`) },
  };
}
