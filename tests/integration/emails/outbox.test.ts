import { expect, onTestFinished, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { createClient, signUp } from "../../helpers/client";
import { makeEmailsDue, outboxOf } from "../../helpers/outbox";
import { startTestServer } from "../../helpers/test-server";
import { runMaintenance } from "../../helpers/with-image-server";
import { withMailServer } from "../../helpers/with-mail-server";

const CRON = { CRON_SECRET: "cron-secret-for-tests-only" };
const app = withMailServer(CRON);
/** Does no background work: the jobs are a cut-off server's, and maintenance here sends what that one can't. */
const quiet = withMailServer({ ...CRON, WORKER: "off" });

/** Starts a server on the quiet one's database whose mail server can't be reached. */
async function startCutOff() {
  const server = await startTestServer({
    ...{ DATABASE_URL: quiet.databaseUrl, ...CRON, ...quiet.mailEnv },
    SMTP_URL: "smtp://127.0.0.1:9",
  });
  onTestFinished(() => server.stop());
  return server;
}

/** Gives a person waiting notices, past the app. */
const addNotices = (email: string, count: number, { sql } = app) =>
  sql(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale, data)
     SELECT id, 'password_changed', email, 'en', jsonb_build_object('at', now())
     FROM users, generate_series(1, $2) WHERE email = $1`,
    [email, count],
  );

test("eight runs at once send each email once", async () => {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  await addNotices(email, 60);
  await Promise.all(Array.from({ length: 8 }, () => runMaintenance(app.url)));
  await expect.poll(async () => (await outboxOf(app, email)).every(({ sent }) => sent)).toBe(true);
  const ids = app.mailsTo(email).map(({ messageId }) => messageId);
  expect([ids.length, new Set(ids).size]).toEqual([61, 61]);
});

test("while the mail server is away an email waits, and maintenance sends it later", async () => {
  const cutOff = await startCutOff();
  const { email } = await signUp(cutOff.url);
  await expect
    .poll(() => outboxOf(quiet, email))
    .toMatchObject([{ kind: "verify_email", attempts: 1, sent: false, wait: 1 }]);
  const [waiting] = await outboxOf(quiet, email);
  expect(waiting?.last_error).toMatch(/^the mail was not taken: code E/);
  expect(waiting?.last_error).not.toContain("@");
  expect(quiet.mailsTo(email)).toEqual([]);

  await makeEmailsDue(quiet);
  expect(await runMaintenance(quiet.url)).toMatchObject({ emailsSent: 1 });
  await quiet.linkTo(email, 1);
  expect(quiet.mailsTo(email)[0]?.messageId).toBe(`<${waiting?.id}@localhost>`);
});

test("the wait grows, and after the twelfth attempt the email is given up and logged", async () => {
  const cutOff = await startCutOff();
  const { email } = await signUp(cutOff.url);
  await quiet.sql("DELETE FROM outbox_emails");
  await addNotices(email, 1, quiet);
  const waits: (number | null | undefined)[] = [];
  for (let attempt = 0; attempt < 12; attempt++) {
    await makeEmailsDue(quiet);
    expect(await runMaintenance(cutOff.url)).toMatchObject({ emailsSent: 0 });
    waits.push((await outboxOf(quiet, email))[0]?.wait);
  }
  expect(waits).toEqual([1, 5, 15, 60, 180, 360, 360, 720, 720, 720, 720, null]);
  const logs = await cutOff.allLogs();
  const given = logs.filter(({ msg }) => String(msg).startsWith("an email was given up"));
  expect(given).toMatchObject([{ level: 50 }]);
  await makeEmailsDue(quiet);
  expect(await runMaintenance(quiet.url)).toMatchObject({ emailsSent: 0 });
});

test("a recipient that the mail server refuses is tried three times", async () => {
  const email = `nobody-${Date.now()}@refused.example`;
  await createClient(app.url).post("/en/sign-up", { email, password: "correct horse battery" });
  await expect.poll(() => outboxOf(app, email)).toMatchObject([{ attempts: 1, wait: 1 }]);
  for (let attempt = 0; attempt < 4; attempt++) {
    await makeEmailsDue(app);
    await runMaintenance(app.url);
  }
  const [row] = await outboxOf(app, email);
  expect(row).toMatchObject({ attempts: 3, wait: null, sent: false });
  expect(row?.last_error).toContain("550");
});

test("one refused recipient doesn't stop the emails behind it", async () => {
  const refused = `nobody-${Date.now()}@refused.example`;
  await createClient(app.url).post("/en/sign-up", {
    email: refused,
    password: "correct horse battery",
  });
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  await app.sql(
    "UPDATE outbox_emails SET next_attempt_at = now() - interval '1 hour' WHERE sent_at IS NULL",
  );
  await addNotices(email, 1);
  expect(await runMaintenance(app.url)).toMatchObject({ emailsSent: 1 });
});

test("a link that would come too late is not sent", async () => {
  const cutOff = await startCutOff();
  const { email } = await signUp(cutOff.url);
  await createClient(cutOff.url).post("/en/forgot-password", { email });
  await expect.poll(() => outboxOf(quiet, email)).toMatchObject([{ wait: 1 }, { wait: 1 }]);
  await quiet.sql("UPDATE outbox_emails SET created_at = created_at - interval '2 hours'");
  await makeEmailsDue(quiet);
  await runMaintenance(quiet.url);
  expect(await outboxOf(quiet, email)).toMatchObject([
    { kind: "verify_email", sent: true },
    { kind: "reset_password", sent: false, wait: null, last_error: "not sent: too late" },
  ]);
});

test("a link is only sent to the address that the account has now", async () => {
  const cutOff = await startCutOff();
  const { email } = await signUp(cutOff.url);
  await expect.poll(() => outboxOf(quiet, email)).toMatchObject([{ wait: 1 }]);
  const now = `now-${email}`;
  await quiet.sql("UPDATE users SET email = $2 WHERE email = $1", [email, now]);
  await makeEmailsDue(quiet);
  await runMaintenance(quiet.url);
  expect(await outboxOf(quiet, now)).toMatchObject([{ sent: false, wait: null }]);
  expect(quiet.mailsTo(email)).toEqual([]);
});

test("an email and what it tells of are written together or not at all", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  await app.sql("ALTER TABLE outbox_emails ADD CONSTRAINT nothing_new CHECK (false) NOT VALID");
  const change = { currentPassword: "correct horse battery", newPassword: "a wholly new secret" };
  const refused = await person
    .post("/en/account/security", { intent: "password", ...change })
    .finally(() => app.sql("ALTER TABLE outbox_emails DROP CONSTRAINT nothing_new"));
  expect(refused.status).toBe(500);
  const signIn = (password: string) =>
    createClient(app.url).post("/en/sign-in", { email: person.email, password });
  expect((await signIn(change.newPassword)).status).toBe(400);
  expect((await signIn(change.currentPassword)).status).toBe(303);
});

test("an email has the same content as HTML and as text, and loads nothing", async () => {
  const { email } = await signUp(app.url);
  const link = await app.linkTo(email, 1);
  const [mail] = app.mailsTo(email);
  expect(mail?.html).toContain(`<html lang="en">`);
  expect(mail?.html).toContain(link.replaceAll("&", "&amp;"));
  expect(mail?.html).toContain("prefers-color-scheme: dark");
  expect(mail?.html).not.toMatch(/<img|<script|@import|url\(|<link/);
  for (const text of ["Verify your email address", "the address stays unverified"]) {
    expect(mail?.html).toContain(text);
    expect(mail?.text).toContain(text);
  }
});

test("a sign-in on a new device is told to the owner of a verified address, and one on a known device isn't", async () => {
  const person = await signUp(app.url);
  const password = "correct horse battery";
  await app.linkTo(person.email, 1);
  const signIn = (client = createClient(app.url)) =>
    client.post("/en/sign-in", { email: person.email, password });
  await app.sql("UPDATE users SET created_at = now() - interval '1 day' WHERE email = $1", [
    person.email,
  ]);
  const kinds = async () => (await outboxOf(app, person.email)).map(({ kind }) => kind);
  await signIn();
  expect(await kinds()).toEqual(["verify_email"]);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  await signIn(person);
  expect(await kinds()).toEqual(["verify_email"]);
  await signIn();
  expect(await kinds()).toEqual(["verify_email", "new_device"]);
  await expect.poll(() => app.mailsTo(person.email).length).toBe(2);
  expect(app.mailsTo(person.email)[1]?.subject).toBe(`New sign-in to ${PRODUCT_NAME}`);
});

test("a deleted account's old address gets one last email and is forgotten with it", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  const [user] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
    person.email,
  ]);
  const form = { currentPassword: "correct horse battery" };
  expect((await person.post("/en/account/delete", form)).status).toBe(303);
  await expect.poll(() => app.mailsTo(person.email).length).toBe(2);
  expect(app.mailsTo(person.email)[1]?.subject).toContain("is deleted");
  await expect
    .poll(() => app.sql("SELECT kind FROM outbox_emails WHERE user_id = $1", [user?.id]))
    .toEqual([]);
});

test("credits that expire within a week are announced once, if enough of them is left", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  const lot = (remaining: number, age: string, left: string) =>
    app.sql(
      `WITH person AS (SELECT id FROM users WHERE email = $1), account AS (
         INSERT INTO credit_accounts SELECT id, 0 FROM person ON CONFLICT (user_id) DO UPDATE
           SET balance = credit_accounts.balance RETURNING user_id)
       INSERT INTO credit_transactions
         (user_id, type, amount, balance_after, source, remaining, created_at, expires_at)
       SELECT user_id, 'grant', 100, 100, 'test:' || gen_random_uuid(), $2,
         now() - $3::interval, now() + $4::interval FROM account`,
      [person.email, remaining, age, left],
    );
  await lot(80, "25 days", "5 days");
  await lot(19, "25 days", "5 days");
  await lot(80, "1 day", "5 days");
  await lot(80, "20 days", "9 days");
  expect(await runMaintenance(app.url)).toMatchObject({ expiriesAnnounced: 1 });
  expect(await runMaintenance(app.url)).toMatchObject({ expiriesAnnounced: 0 });
  await expect.poll(() => app.mailsTo(person.email).length).toBe(2);
  expect(app.mailsTo(person.email)[1]?.subject).toMatch(/^80 credits expire on /);
});

/** How the version before 26 November 2026 claims an email, with no job. */
const OLD_CLAIM = `
  UPDATE outbox_emails SET attempts = attempts + 1, lease_until = now() + interval '5 minutes'
  WHERE id = (
    SELECT id FROM outbox_emails
    WHERE next_attempt_at <= now() AND (lease_until > now()) IS NOT TRUE AND attempts < 12
    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id`;

test("a server of the version before, beside this one, sends an email or leaves it: none is sent twice", async () => {
  const { email } = await signUp(app.url);
  await app.linkTo(email, 1);
  // Emails of the old version have no job.
  await addNotices(email, 30);
  const old: string[] = [];
  const sendAsBefore = async () => {
    for (;;) {
      const [claimed] = await app.sql<{ id: string }>(OLD_CLAIM);
      if (!claimed) return;
      old.push(`<${claimed.id}@localhost>`);
      await app.sql(
        `UPDATE outbox_emails SET sent_at = clock_timestamp(), next_attempt_at = NULL, lease_until = NULL
         WHERE id = $1`,
        [claimed.id],
      );
    }
  };
  const byJobs = Array.from({ length: 15 }, () =>
    createClient(app.url).post("/en/forgot-password", { email }),
  );
  await Promise.all([sendAsBefore(), runMaintenance(app.url), sendAsBefore(), ...byJobs]);
  await runMaintenance(app.url);
  await expect.poll(async () => (await outboxOf(app, email)).every(({ sent }) => sent)).toBe(true);
  const rows = (await outboxOf(app, email)).map(({ id }) => `<${id}@localhost>`);
  const sent = [...old, ...app.mailsTo(email).map(({ messageId }) => messageId)];
  // A link that a newer one replaced while the old version sent it has no row any more.
  expect(sent).toEqual(expect.arrayContaining(rows));
  expect(new Set(sent).size).toBe(sent.length);
});
