import { expect, test } from "vitest";
import { OPTIONAL_EMAILS } from "~/models/emails/email-kinds";
import { type Client, createClient, signUp } from "../../helpers/client";
import { outboxOf } from "../../helpers/outbox";
import { runMaintenance } from "../../helpers/with-image-server";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ CRON_SECRET: "cron-secret-for-tests-only" });

const mutedOf = async (email: string) => {
  const [user] = await app.sql<{ muted_emails: string[] }>(
    "SELECT muted_emails FROM users WHERE email = $1",
    [email],
  );
  return user?.muted_emails;
};

/** Sends the person an email about expiring credits and returns its `List-Unsubscribe` address. */
async function withNews(person: Client & { email: string }): Promise<string> {
  await app.linkTo(person.email, 1);
  await app.sql(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale, data)
     SELECT id, 'credits_expiring', email, 'es', '{"amount": 40, "at": "2099-01-31T10:00:00Z"}'
     FROM users WHERE email = $1`,
    [person.email],
  );
  await runMaintenance(app.url);
  return app.mailsTo(person.email)[1]?.unsubscribeUrl ?? "";
}

/** As a mail program's server sends it: without cookies, from elsewhere. */
const oneClick = (url: string) =>
  fetch(url, {
    method: "POST",
    headers: { Origin: "https://mail.example", "Sec-Fetch-Site": "cross-site" },
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });

test("one click in the mail program turns off that kind for that person", async () => {
  const [person, other] = [await signUp(app.url), await signUp(app.url)];
  const url = await withNews(person);
  for (let click = 0; click < 2; click++) expect((await oneClick(url)).status).toBe(200);
  expect([await mutedOf(person.email), await mutedOf(other.email)]).toEqual([
    ["credits_expiring"],
    [],
  ]);
});

test("opening the link changes nothing; the button of its page turns the emails off", async () => {
  const person = await signUp(app.url);
  const url = await withNews(person);
  const visitor = createClient(app.url);
  const { pathname, search } = new URL(url);
  for (const method of ["GET", "HEAD"]) await visitor.fetch(pathname + search, { method });
  const page = (await visitor.fetch(pathname + search)).headers.get("location") ?? "";
  expect(page).toMatch(/^\/en\/unsubscribe\?token=/);
  expect(await (await visitor.fetch(page)).text()).toContain("Turn off these emails?");
  expect(await mutedOf(person.email)).toEqual([]);
  expect((await visitor.post(page, {})).status).toBe(303);
  expect(await (await visitor.fetch(page)).text()).toContain("These emails are off");
  expect(await mutedOf(person.email)).toEqual(["credits_expiring"]);
});

test("a forged, foreign or incomplete token turns nothing off", async () => {
  const [person, other] = [await signUp(app.url), await signUp(app.url)];
  const token = new URL(await withNews(person)).searchParams.get("token") ?? "";
  const [userId = "", , signature = ""] = token.split(".");
  const [{ id } = { id: "" }] = await app.sql<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [other.email],
  );
  for (const forged of [
    "",
    `${userId}.credits_expiring.`,
    `${userId}.receipt.${signature}`,
    `${userId}.password_changed.${signature}`,
    `${id}.credits_expiring.${signature}`,
    `${token}.x`,
  ]) {
    const query = new URLSearchParams({ token: forged });
    expect((await oneClick(`${app.url}/unsubscribe?${query}`)).status).toBe(400);
    expect((await fetch(`${app.url}/en/unsubscribe?${query}`)).status).toBe(400);
    await createClient(app.url).post(`/en/unsubscribe?${query}`, {});
  }
  expect([await mutedOf(person.email), await mutedOf(other.email)]).toEqual([[], []]);
});

test("the exemption from the same-origin rule is for that one address", async () => {
  const query = new URL(await withNews(await signUp(app.url))).search;
  expect((await oneClick(`${app.url}/en/unsubscribe${query}`)).status).toBe(403);
  expect((await oneClick(`${app.url}/unsubscribe/${query}`)).status).toBe(403);
});

test("the profile turns kinds off and on, and drops what waits of them", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  await app.sql(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale, next_attempt_at)
     SELECT id, 'receipt', email, 'en', now() + interval '1 hour' FROM users WHERE email = $1`,
    [person.email],
  );
  const save = (fields: Record<string, string>) =>
    person.post("/en/account/profile", { intent: "emails", ...fields });
  expect((await save({ credits_expiring: "on" })).status).toBe(303);
  const others = OPTIONAL_EMAILS.filter((kind) => kind !== "credits_expiring");
  expect(await mutedOf(person.email)).toEqual(others);
  expect(await outboxOf(app, person.email)).toMatchObject([{ kind: "verify_email" }]);
  await save(Object.fromEntries(OPTIONAL_EMAILS.map((kind) => [kind, "on"])));
  expect(await mutedOf(person.email)).toEqual([]);
});

test("emails about security carry no way to turn them off", async () => {
  const person = await signUp(app.url);
  await app.linkTo(person.email, 1);
  const [mail] = app.mailsTo(person.email);
  expect(mail?.unsubscribeUrl).toBeNull();
  expect(mail?.text).not.toContain("unsubscribe");
});
