import { expect, test } from "vitest";
import { PRODUCT_NAME } from "~/catalog";
import { type Client, createClient, signUp } from "../../helpers/client";
import { outboxOf } from "../../helpers/outbox";
import { withMailServer } from "../../helpers/with-mail-server";

const app = withMailServer({ SIGNUP_CREDITS: "25", RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" });
const PASSWORD = "correct horse battery";

let count = 0;
const newAddress = () => `new-${Date.now()}-${count++}@example.com`;
const ask = (client: Client, newEmail: string) => client.post("/en/account/email", { newEmail });
const press = (client: Client, link: string) => client.post(link, {});
const isIn = async (client: Client) => (await client.fetch("/en/account")).status === 200;

/** A person who verified their address by its mailed link, the first mail they get. */
async function verified() {
  const person = await signUp(app.url);
  await press(person, await app.linkTo(person.email, 1));
  return person;
}

/** A person who asked for a new address, and the link that confirms it. */
async function asked(newEmail = newAddress()) {
  const person = await verified();
  expect((await ask(person, newEmail)).headers.get("location")).toBe("/en/account/email?done=sent");
  return { person, newEmail, link: await app.linkTo(newEmail, 1) };
}

const owners = async (...emails: string[]) => {
  const rows = await app.sql<{ email: string }>(
    "SELECT email FROM users WHERE email = ANY ($1) ORDER BY email",
    [emails],
  );
  return rows.map(({ email }) => email);
};

test("the button changes the address, ends other sessions, and tells the old address", async () => {
  const { person, newEmail, link } = await asked();
  const other = createClient(app.url);
  await other.post("/en/sign-in", { email: person.email, password: PASSWORD });
  await createClient(app.url).post("/en/forgot-password", { email: person.email });
  const reset = await app.linkTo(person.email, 2);

  expect(await (await person.fetch(link)).text()).toContain("Confirm your new email address");
  expect(await owners(newEmail)).toEqual([]);
  expect((await press(person, link)).headers.get("location")).toBe(
    "/en/account/profile?done=email",
  );
  expect(await owners(newEmail, person.email)).toEqual([newEmail]);
  expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
  expect((await createClient(app.url).fetch(reset)).status).toBe(400);
  await expect.poll(() => app.mailsTo(person.email).length).toBe(3);
  const notice = app.mailsTo(person.email)[2];
  expect(notice?.subject).toBe(`Your email address at ${PRODUCT_NAME} was changed`);
  expect(notice?.text).toContain("n…@example.com");
  expect(notice?.text).not.toContain(newEmail);
  const [row] = await app.sql(
    `SELECT email_verified_at IS NOT NULL AS verified, balance
     FROM users JOIN credit_accounts ON user_id = id WHERE email = $1`,
    [newEmail],
  );
  expect(row).toEqual({ verified: true, balance: 25 });
  const events = (await app.server.allLogs()).map(({ event }) => event);
  expect(events).toEqual(expect.arrayContaining(["email_change_requested", "email_changed"]));
  expect((await press(person, link)).headers.get("location")).toBe(link);
  expect((await person.fetch(link)).status).toBe(400);
});

test("a session that isn't fresh has to prove itself before the form", async () => {
  const person = await signUp(app.url);
  await app.sql("UPDATE sessions SET reauthenticated_at = now() - interval '11 minutes'");
  const confirm = "/en/account/confirm?redirectTo=%2Fen%2Faccount%2Femail";
  const newEmail = newAddress();
  for (const response of [await person.fetch("/en/account/email"), await ask(person, newEmail)]) {
    expect([response.status, response.headers.get("location")]).toEqual([303, confirm]);
  }
  expect(await outboxOf(app, person.email)).toMatchObject([{ kind: "verify_email" }]);
});

test("a taken address gets the same response as a free one, and only its owner is told", async () => {
  const owner = await signUp(app.url);
  const person = await verified();
  const response = await ask(person, owner.email);
  expect(response.headers.get("location")).toBe("/en/account/email?done=sent");
  await expect.poll(() => app.mailsTo(owner.email).length).toBe(2);
  expect(app.mailsTo(owner.email)[1]?.subject).toContain("You already have an account");
  expect(app.mailsTo(owner.email)[1]?.text).not.toContain("change-email");
});

test("of two accounts that confirm one address at once, one gets it and the other is told", async () => {
  const newEmail = newAddress();
  const [first, second] = [await verified(), await verified()];
  await Promise.all([ask(first, newEmail), ask(second, newEmail)]);
  await app.linkTo(newEmail, 2);
  const links = [await app.linkTo(newEmail, 1), await app.linkTo(newEmail, 2)];
  const responses = await Promise.all(
    [first, second].flatMap((client) => links.map((link) => press(client, link))),
  );
  expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect(await owners(newEmail, first.email, second.email)).toHaveLength(2);
  expect(await owners(newEmail)).toEqual([newEmail]);
  const pages = await Promise.all(
    [first, second].flatMap((client) =>
      links.map(async (link) => (await client.fetch(link)).status),
    ),
  );
  expect(pages.filter((status) => status === 409)).toHaveLength(1);
});

test("a sign-up with the address wins over the link, which then changes nothing", async () => {
  const { person, newEmail, link } = await asked();
  await createClient(app.url).post("/en/sign-up", { email: newEmail, password: PASSWORD });
  expect((await press(person, link)).status).toBe(303);
  const page = await person.fetch(link);
  expect(page.status).toBe(409);
  expect(await page.text()).toContain("This email address already has an account");
  expect(await owners(newEmail, person.email)).toHaveLength(2);
});

test("the link changes nothing in another session, without one, or after an hour", async () => {
  const { person, newEmail, link } = await asked();
  const stranger = await signUp(app.url);
  expect((await stranger.fetch(link)).status).toBe(403);
  await press(stranger, link);
  await press(createClient(app.url), link);
  expect(await (await createClient(app.url).fetch(link)).text()).toContain("Sign in to change");
  expect(await owners(newEmail)).toEqual([]);
  await app.sql(
    "UPDATE verification_tokens SET expires_at = now() - interval '1 second' WHERE new_email = $1",
    [newEmail],
  );
  expect((await press(person, link)).status).toBe(303);
  expect((await person.fetch(link)).status).toBe(400);
  expect(await owners(newEmail)).toEqual([]);
});

test("a second request voids the first link", async () => {
  const { person, newEmail, link } = await asked();
  const second = newAddress();
  await ask(person, second);
  await app.linkTo(second, 1);
  await press(person, link);
  expect(await owners(newEmail, person.email)).toEqual([person.email]);
});

test("an account without credits to come gets no second ones by changing its address", async () => {
  const { person, newEmail, link } = await asked();
  await press(person, link);
  const grants = (email: string) =>
    app.sql(
      `SELECT amount FROM credit_transactions JOIN users u ON u.id = user_id WHERE u.email = $1`,
      [email],
    );
  expect(await grants(newEmail)).toEqual([{ amount: 25 }]);
  // The old mailbox is free again, and had its credits.
  const next = createClient(app.url);
  await next.post("/en/sign-up", { email: person.email, password: PASSWORD });
  const mails = app.mailsTo(person.email).length;
  await expect.poll(() => app.mailsTo(person.email).length).toBeGreaterThanOrEqual(mails);
  await next.post("/en/account/profile", { intent: "verify" });
  await expect
    .poll(
      () => app.mailsTo(person.email).filter(({ subject }) => subject.startsWith("Verify")).length,
    )
    .toBeGreaterThanOrEqual(2);
  const links = app
    .mailsTo(person.email)
    .map(({ text }) => text.match(/https?:\/\/\S+/)?.[0] ?? "");
  for (const url of links.filter((text) => text.includes("verify-email")))
    await press(next, new URL(url).pathname + new URL(url).search);
  const [row] = await app.sql(
    "SELECT email_verified_at IS NOT NULL AS verified FROM users WHERE email = $1",
    [person.email],
  );
  expect(row).toEqual({ verified: true });
  expect(await grants(person.email)).toEqual([]);
});

test("an account without a verified address changes it neither by the form nor by a link, and mails nobody", async () => {
  const person = await signUp(app.url);
  const newEmail = newAddress();
  const page = await (await person.fetch("/en/account/email")).text();
  expect(page).toContain("Verify your present email address first");
  expect(page).not.toContain('name="newEmail"');
  const response = await ask(person, newEmail);
  expect(response.status).toBe(403);
  expect(await response.text()).toContain("Verify your present email address first");
  expect(await outboxOf(app, person.email)).toMatchObject([{ kind: "verify_email" }]);

  const { person: other, newEmail: wanted, link } = await asked();
  await app.sql("UPDATE users SET email_verified_at = NULL WHERE email = $1", [other.email]);
  await press(other, link);
  expect(await owners(wanted)).toEqual([]);
});

test("any number of accounts mail three links an hour and five a day to one stranger, and nobody is told", async () => {
  const stranger = newAddress();
  const people = await Promise.all(Array.from({ length: 4 }, verified));
  const askAll = async () => {
    const responses = [];
    for (const person of people)
      responses.push((await ask(person, stranger)).headers.get("location"));
    expect(responses).toEqual(Array(4).fill("/en/account/email?done=sent"));
  };
  await askAll();
  await expect.poll(() => app.mailsTo(stranger).length).toBe(3);
  const limited = async () =>
    (await app.server.allLogs()).filter(
      ({ event, rule }) => event === "rate_limited" && String(rule).startsWith("mail-stranger"),
    ).length;
  await expect.poll(limited).toBe(1);
  await app.sql("DELETE FROM rate_limits WHERE key LIKE 'mail-stranger:%'");
  await askAll();
  await expect.poll(limited).toBe(3);
  await expect.poll(() => app.mailsTo(stranger).length).toBe(5);

  // A sign-up with the address, and links asked for its account, count as the same.
  await createClient(app.url).post("/en/sign-up", { email: stranger, password: PASSWORD });
  for (const path of ["sign-in-link", "forgot-password"])
    await createClient(app.url).post(`/en/${path}`, { email: stranger });
  await expect.poll(limited).toBe(6);
  expect(await outboxOf(app, stranger)).toEqual([]);
});

test.each(["not-an-address", "", "a@b@example.com"])("%s is a 400", async (newEmail) => {
  const person = await verified();
  expect((await ask(person, newEmail)).status).toBe(400);
});

test("the account's own address is refused, and the sixth request within the hour is a 429", async () => {
  const person = await verified();
  const own = await ask(person, person.email.toUpperCase());
  expect(await own.text()).toContain("That’s the email address you have now.");
  const responses = [];
  for (let n = 0; n < 6; n++) responses.push((await ask(person, newAddress())).status);
  expect(responses).toEqual([303, 303, 303, 303, 303, 429]);
});
