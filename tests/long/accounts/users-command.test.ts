import { expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { runDueGrants } from "~/models/billing/periods/grant-run.server";
import { setUpBillingEnv } from "../../helpers/billing";
import { type Client, createClient, signUp } from "../../helpers/client";
import { DAY, inFuture } from "../../helpers/credits";
import { addPasskey, signUpWithTotp } from "../../helpers/factors";
import { runScript } from "../../helpers/run-script";
import { createSubscription, grantsOf } from "../../helpers/subscriptions";
import { withTestServer } from "../../helpers/with-test-server";

setUpBillingEnv();
const app = withTestServer();
const PASSWORD = "correct horse battery";

const run = (...args: string[]) =>
  runScript("scripts/users/users.command.ts", args, { DATABASE_URL: app.databaseUrl });

const eventsIn = (stderr: string) =>
  stderr
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function signIn(email: string) {
  const client = createClient(app.url);
  const { status } = await client.post("/en/sign-in", { email, password: PASSWORD });
  return { ...client, status };
}

const isIn = async (client: Pick<Client, "json">) =>
  (await client.json("GET", "/api/storage/files")).status === 200;

const idOf = async (email: string) => {
  const [row] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [email]);
  return row?.id ?? "";
};

test("`users` lists its commands, and each prints its usage", async () => {
  const [overview, help, unknown] = await Promise.all([
    run("--help"),
    run("sign-out", "--help"),
    run("delete"),
  ]);
  expect(overview.stdout).toMatch(
    /npm run users -- <command>[\s\S]*sign-out [\s\S]*disable [\s\S]*enable [\s\S]*remove-factors /,
  );
  expect(help.stdout).toContain("npm run users -- sign-out [email] [options]");
  expect(unknown).toMatchObject({
    code: 2,
    stderr: "users: there is no command 'delete' (--help says more)\n",
  });
});

test("sign-out ends all sessions of one user and of nobody else", async () => {
  const [person, neighbour] = [await signUp(app.url), await signUp(app.url)];
  const device = await signIn(person.email);
  const { code, stdout, stderr } = await run("sign-out", person.email.toUpperCase());
  expect({ code, stdout }).toEqual({ code: 0, stdout: "sessions ended: 2\n" });
  const userId = await idOf(person.email);
  expect(eventsIn(stderr)).toMatchObject([
    { event: "operator_command", outcome: "success", command: "users sign-out", userId, count: 2 },
    { event: "sessions_ended", outcome: "success", reason: "by_operator", userId, count: 2 },
  ]);
  expect(stderr).not.toContain(person.email);
  expect([await isIn(person), await isIn(device), await isIn(neighbour)]).toEqual([
    false,
    false,
    true,
  ]);
  expect((await signIn(person.email)).status).toBe(303);
});

test("sign-out --all ends everybody's sessions", async () => {
  const people = [await signUp(app.url), await signUp(app.url)];
  const { code, stdout, stderr } = await run("sign-out", "--all");
  expect(code).toBe(0);
  expect(Number(/^sessions ended: (\d+)\n$/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(2);
  expect(eventsIn(stderr)).toMatchObject([{ event: "operator_command", scope: "everybody" }, {}]);
  for (const person of people) expect(await isIn(person)).toBe(false);
  expect(await app.sql("SELECT 1 FROM sessions")).toEqual([]);
});

test("disable ends the sessions at once and lets nobody in until enable", async () => {
  const person = await signUp(app.url);
  const userId = await idOf(person.email);
  const disabled = await run("disable", person.email);
  expect(disabled).toMatchObject({ code: 0, stdout: "disabled, sessions ended: 1\n" });
  expect(eventsIn(disabled.stderr)).toMatchObject([
    { event: "operator_command", command: "users disable", userId },
    { event: "account_disabled", outcome: "success", userId, sessionsEnded: 1 },
  ]);
  expect(await isIn(person)).toBe(false);
  expect((await signIn(person.email)).status).toBe(403);
  expect(await run("disable", person.email)).toMatchObject({
    code: 0,
    stdout: "the account is disabled already: nothing was changed\n",
    stderr: "",
  });

  const enabled = await run("enable", person.email);
  expect(enabled).toMatchObject({ code: 0, stdout: "enabled\n" });
  expect(eventsIn(enabled.stderr)).toMatchObject([
    { event: "operator_command", command: "users enable", userId },
    { event: "account_enabled", outcome: "success", userId },
  ]);
  expect(await isIn(person)).toBe(false);
  expect((await signIn(person.email)).status).toBe(303);
  expect(await run("enable", person.email)).toMatchObject({
    code: 0,
    stdout: "the account is not disabled: nothing was changed\n",
    stderr: "",
  });
});

test("a sign-in beside disable leaves no session behind", async () => {
  const person = await signUp(app.url);
  await Promise.all([
    run("disable", person.email),
    // For as long as the command takes to start, and longer.
    (async () => {
      let status = 303;
      while (status === 303) status = (await signIn(person.email)).status;
      expect(status).toBe(403);
    })(),
  ]);
  const sessions = await app.sql("SELECT 1 FROM sessions WHERE user_id = $1", [
    await idOf(person.email),
  ]);
  expect(sessions).toEqual([]);
});

test("a disabled user still gets monthly credits", async () => {
  const person = await signUp(app.url);
  await run("disable", person.email);
  const db = connectDb(app.databaseUrl);
  try {
    const subscription = await createSubscription(db, {
      userId: await idOf(person.email),
      anchor: inFuture(-DAY),
      paidUntil: inFuture(360 * DAY),
    });
    await runDueGrants({}, db);
    expect(await grantsOf(db, subscription)).toMatchObject([{ amount: 300 }]);
  } finally {
    await db.$disconnect();
  }
});

test.each([
  [["sign-out"], 2, "users sign-out: give an email address or --all (--help says more)\n"],
  [
    ["sign-out", "a@example.com", "--all"],
    2,
    "users sign-out: --all takes no email address (--help says more)\n",
  ],
  [["disable"], 2, "users disable: missing argument <email> (--help says more)\n"],
  [["enable", "a@b", "c"], 2, "users enable: unexpected argument 'c' (--help says more)\n"],
  [
    ["disable", "nobody@example.com"],
    1,
    "users disable: no user has the email address nobody@example.com\n",
  ],
])("users %j is refused in one line", async (args, code, stderr) => {
  expect(await run(...args)).toEqual({ code, stdout: "", stderr });
});

/** The command emails the user, so it reads the server's whole environment. */
const removeFactors = (email: string) =>
  runScript("scripts/users/users.command.ts", ["remove-factors", email], {
    DATABASE_URL: app.databaseUrl,
    AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
    NEXT_PUBLIC_SITE_URL: app.url,
  });

test("remove-factors takes app, codes and passkeys away, ends the sessions, and tells the owner", async () => {
  const person = await signUpWithTotp(app);
  await addPasskey(app, person);
  const { code, stdout, stderr } = await removeFactors(person.email);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "removed: the authenticator app, passkeys: 1, sessions ended: 1\n",
  });
  const userId = await idOf(person.email);
  expect(eventsIn(stderr)).toMatchObject([
    { event: "operator_command", command: "users remove-factors", userId, passkeys: 1 },
    { event: "factor_changed", outcome: "success", reason: "by_operator", userId, totp: true },
  ]);
  expect(await isIn(person)).toBe(false);
  for (const table of ["totp_factors", "recovery_codes", "passkeys"])
    expect(await app.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [userId])).toEqual([]);
  const client = await signIn(person.email);
  expect(await isIn(client)).toBe(true);

  const again = await removeFactors(person.email);
  expect(again).toMatchObject({
    code: 0,
    stdout: "the account has no authenticator app and no passkey: nothing was changed\n",
  });
  expect(await isIn(client)).toBe(true);
});
