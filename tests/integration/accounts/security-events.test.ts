import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { SECURITY_EVENTS, type SecurityEventName } from "~/utils/security-events";
import { PACK } from "../../fixtures/sold";
import { storeApiKey } from "../../helpers/api-keys";
import { createClient, signUp } from "../../helpers/client";
import { giveCode, givePassword, signUpWithTotp } from "../../helpers/factors";
import { runScript } from "../../helpers/run-script";
import { bodyOf, signWebhook } from "../../helpers/signed-webhook";
import { withPaymentServer } from "../../helpers/with-payment-server";

const PASSWORD = "correct horse battery";
// SMTP_URL names no server: each request is logged before an email is sent.
const app = withPaymentServer("stripe", {
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "Credits <credits@example.com>",
});

type Line = Record<string, unknown>;

const eventsSince = (before: number, name: string): Line[] =>
  app.server.logs.slice(before).filter(({ event }) => event === name);

/** Returns the lines of this event that `work` caused, at least `count` of them. */
async function eventsOf(
  name: SecurityEventName,
  work: () => Promise<unknown>,
  count = 1,
): Promise<Line[]> {
  const before = app.server.logs.length;
  await work();
  await expect.poll(() => eventsSince(before, name).length).toBeGreaterThanOrEqual(count);
  return eventsSince(before, name);
}

const idOf = async (email: string) =>
  (await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]))[0]?.id;
const signIn = (email: string, password: string) =>
  createClient(app.url).post("/en/sign-in", { email, password });

/** Fields that every visitor's event has besides its own. */
const VISITOR = { requestId: expect.any(String), network: expect.stringMatching(/^(127\.|0:)/) };

/** Causes each event. Events of sessions and accounts are in the list below. */
const PROVOKED: Partial<Record<SecurityEventName, () => Promise<void>>> = {
  async sign_up() {
    let email = "";
    const [created] = await eventsOf("sign_up", async () => {
      email = (await signUp(app.url)).email;
    });
    expect(created).toMatchObject({ ...VISITOR, outcome: "success", userId: await idOf(email) });
    const [taken] = await eventsOf("sign_up", () =>
      createClient(app.url).post("/en/sign-up", { email, password: PASSWORD }),
    );
    expect(taken).toMatchObject({ ...VISITOR, outcome: "failure", reason: "email_taken" });
  },
  async api_key_changed() {
    const person = await signUp(app.url);
    const userId = await idOf(person.email);
    const post = (fields: Record<string, string>) =>
      eventsOf("api_key_changed", () => person.post("/en/account/api-keys", fields));
    const [made] = await post({ intent: "make", name: "key", scopes: "read" });
    expect(made).toMatchObject({ ...VISITOR, outcome: "success", userId, change: "made" });
    const [row] = await app.sql<{ id: string }>("SELECT id FROM api_keys WHERE actor_id = $1", [
      userId,
    ]);
    const [revoked] = await post({ intent: "revoke", keyId: row?.id ?? "" });
    expect(revoked).toMatchObject({ ...VISITOR, outcome: "success", userId, change: "revoked" });
  },
  async api_key_refused() {
    const person = await signUp(app.url);
    const key = await storeApiKey(app, person.email, { scopes: ["read"] });
    const ask = (bearer: string, path: string) =>
      eventsOf("api_key_refused", () =>
        fetch(app.url + path, { headers: { Authorization: `Bearer ${bearer}` } }),
      );
    const [unknown] = await ask(`${key}x`, "/api/account/credits");
    expect(unknown).toMatchObject({ ...VISITOR, outcome: "failure", reason: "unknown" });
    const [scope] = await ask(key, "/en/account");
    const userId = await idOf(person.email);
    expect(scope).toMatchObject({ ...VISITOR, outcome: "failure", reason: "scope", userId });
  },
  async sign_in() {
    const { email } = await signUp(app.url);
    const [wrong] = await eventsOf("sign_in", () => signIn(email, "a wrong password!"));
    const userId = await idOf(email);
    expect(wrong).toMatchObject({
      ...VISITOR,
      level: 40,
      outcome: "failure",
      reason: "wrong_password",
      userId,
    });
    const [right] = await eventsOf("sign_in", () => signIn(email, PASSWORD));
    expect(right).toMatchObject({ level: 30, outcome: "success", userId });
    // The same email address has the same pseudonym in both lines, and appears in neither.
    expect(right?.account).toBe(wrong?.account);
    const [unknown] = await eventsOf("sign_in", () => signIn("nobody@example.com", PASSWORD));
    expect(unknown).toMatchObject({ outcome: "failure", reason: "unknown_account" });
    expect(unknown).not.toHaveProperty("userId");
  },
  async password_reset_requested() {
    const email = "somebody@example.com";
    const [line] = await eventsOf("password_reset_requested", () =>
      createClient(app.url).post("/en/forgot-password", { email }),
    );
    expect(line).toMatchObject({ ...VISITOR, account: expect.any(String) });
  },
  async password_check() {
    const person = await signUp(app.url);
    const check = (password: string) =>
      eventsOf("password_check", () =>
        person.post("/en/account/delete", { currentPassword: password }),
      );
    const userId = await idOf(person.email);
    const [wrong] = await check("a wrong password!");
    expect(wrong).toMatchObject({
      ...VISITOR,
      outcome: "failure",
      userId,
      sessionId: expect.any(String),
    });
    expect((await check(PASSWORD))[0]).toMatchObject({ outcome: "success", userId });
  },
  async second_factor_asked() {
    const person = await signUpWithTotp(app);
    const [line] = await eventsOf("second_factor_asked", () => signIn(person.email, PASSWORD));
    const userId = await idOf(person.email);
    expect(line).toMatchObject({ ...VISITOR, outcome: "success", userId, way: "password" });
  },
  async second_factor() {
    const person = await signUpWithTotp(app);
    const client = await givePassword(app, person.email);
    const userId = await idOf(person.email);
    const [wrong] = await eventsOf("second_factor", () => giveCode(client, "000000"));
    expect(wrong).toMatchObject({ ...VISITOR, level: 40, userId, reason: "totp_wrong" });
    const [code = ""] = person.recoveryCodes;
    const [right] = await eventsOf("second_factor", () => giveCode(client, code));
    expect(right).toMatchObject({ outcome: "success", userId, factor: "recovery_code" });
    expect(JSON.stringify(await app.server.allLogs())).not.toContain(code);
  },
  async identity_check() {
    const person = await signUp(app.url);
    const fields = { currentPassword: PASSWORD };
    const [line] = await eventsOf("identity_check", () =>
      person.post("/en/account/confirm", fields),
    );
    const userId = await idOf(person.email);
    expect(line).toMatchObject({ ...VISITOR, outcome: "success", userId, way: "password" });
  },
  async factor_changed() {
    const [line] = await eventsOf("factor_changed", () => signUpWithTotp(app));
    expect(line).toMatchObject({ ...VISITOR, outcome: "success", change: "totp_added" });
  },
  async account_exported() {
    const person = await signUp(app.url);
    const [line] = await eventsOf("account_exported", () => person.fetch("/en/account/export"));
    expect(line).toMatchObject({
      ...VISITOR,
      outcome: "success",
      userId: await idOf(person.email),
    });
  },
  async origin_refused() {
    const person = await signUp(app.url);
    const headers = { Origin: "https://evil.example" };
    const [line] = await eventsOf("origin_refused", () =>
      person.fetch("/api/payments/portal", { method: "POST", headers }),
    );
    expect(line).toMatchObject({ ...VISITOR, outcome: "failure" });
  },
  async rate_limited() {
    const person = await signUp(app.url);
    const server = await app.startAnother({ RATE_LIMIT_SCALE: "0.05" });
    try {
      const headers = { Cookie: person.cookie(), "Content-Type": "application/json" };
      const body = JSON.stringify({ skuKey: PACK.skuKey });
      for (let tries = 0; tries < 2; tries += 1)
        await fetch(`${server.url}/api/payments/checkout`, { method: "POST", headers, body });
      const refusals = () => server.logs.filter(({ event }) => event === "rate_limited");
      await expect.poll(() => refusals().length).toBe(1);
      expect(refusals()[0]).toMatchObject({
        ...VISITOR,
        outcome: "failure",
        rule: "checkout-user",
        userId: await idOf(person.email),
      });
    } finally {
      await server.stop();
    }
  },
  async bearer_refused() {
    const call = (headers: Record<string, string>) =>
      eventsOf("bearer_refused", () => fetch(`${app.url}/api/cron/maintenance`, { headers }));
    expect((await call({}))[0]).toMatchObject({ ...VISITOR, reason: "no_bearer" });
    const [wrong] = await call({ Authorization: "Bearer guessed-secret" });
    expect(wrong).toMatchObject({ reason: "wrong_bearer" });
    expect(JSON.stringify(wrong)).not.toContain("guessed-secret");
  },
  async signature_refused() {
    const forged = signWebhook(app, { id: "evt_1", type: "invoice.paid" }, "whsec_another");
    const [line] = await eventsOf("signature_refused", () => app.deliver(forged));
    expect(line).toMatchObject({ ...VISITOR, outcome: "failure", provider: "stripe" });
    expect(bodyOf(forged).id).toBe("evt_1");
  },
  async customer_conflict() {
    const people = [await app.buy("plan"), await app.buy("plan")];
    for (const { webhooks } of people) for (const webhook of webhooks) await app.deliver(webhook);
    await app.sql("UPDATE subscriptions SET provider_customer_id = 'cus_of_two'");
    await app.sql("UPDATE users SET email_verified_at = now()");
    const [line] = await eventsOf("customer_conflict", async () => {
      const { status } = (await people[0]?.person.json("POST", "/api/payments/portal")) ?? {};
      expect(status).toBe(409);
    });
    expect(line).toMatchObject({ ...VISITOR, outcome: "failure", reason: "portal" });
  },
  async operator_command() {
    const { email } = await signUp(app.url);
    const args = ["adjust", email, "5", "--reason", "a gift", "--key", "gift-1"];
    const { stderr } = await runScript("scripts/ledger/ledger.command.ts", args, {
      DATABASE_URL: app.databaseUrl,
      LOG_LEVEL: "silent",
    });
    expect(JSON.parse(stderr)).toMatchObject({
      event: "operator_command",
      outcome: "success",
      command: "ledger adjust",
      operator: userInfo().username,
      userId: await idOf(email),
      amount: 5,
      key: "gift-1",
    });
    expect(stderr).not.toContain(email);
  },
};

/** Caused in the tests of sessions, links, accounts, providers, bots and admins, which check each of them. */
const SESSION_AND_ACCOUNT_EVENTS: SecurityEventName[] = [
  "admin_action",
  "password_set",
  "provider_refused",
  "provider_linked",
  "provider_unlinked",
  "account_claimed",
  "bot_challenge",
  "bot_trapped",
  "email_change_requested",
  "email_changed",
  "sign_in_link_requested",
  "sign_in_link",
  "sign_out",
  "sessions_ended",
  "password_reset",
  "password_changed",
  "email_verified",
  "account_deleted",
  "account_disabled",
  "account_enabled",
];

test.each(Object.entries(PROVOKED))("%s is logged", async (_name, provoke) => provoke());

test("every event of the list is provoked", () => {
  const names = [...Object.keys(PROVOKED), ...SESSION_AND_ACCOUNT_EVENTS];
  expect(names.toSorted()).toEqual(Object.keys(SECURITY_EVENTS).toSorted());
});

test("a request's line has the visitor's network, and the user once the session was read", async () => {
  const person = await signUp(app.url);
  const lineOf = async (path: string, work: () => Promise<unknown>) => {
    const before = app.server.logs.length;
    await work();
    const found = () =>
      app.server.logs.slice(before).find((line) => line.msg === "request" && line.path === path);
    await expect.poll(found).toBeDefined();
    return found();
  };
  expect(await lineOf("/en/account", () => person.fetch("/en/account"))).toMatchObject({
    ...VISITOR,
    userId: await idOf(person.email),
  });
  const anonymous = await lineOf("/en/terms", () => fetch(`${app.url}/en/terms`));
  expect(anonymous).toMatchObject(VISITOR);
  expect(anonymous).not.toHaveProperty("userId");
});
