import { beforeAll, expect, test } from "vitest";
import { createKeyText, shownPart } from "~/models/accounts/api-key-text.server";
import { SEARCHABLE } from "~/server/admin/read-search";
import { orderNumber } from "~/utils/order-number";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS[0], WORKER: "off" });
let admin: Client;
let adminId: string;
let userId: string;

beforeAll(async () => {
  admin = await createAdmin(app);
  adminId = await idOf(app, ADMINS[0]);
  userId = await idOf(app, (await signUp(app.url)).email);
});

const looksSince = (count: number) =>
  app.sql<{ action: string; person: string | null; after: unknown }>(
    "SELECT action, subject_user_id AS person, after FROM audit_log ORDER BY id OFFSET $1",
    [count],
  );
const countRows = async () => (await app.sql("SELECT FROM audit_log")).length;

test("each search leaves a row that says whom it found, and not the text", async () => {
  const person = await signUp(app.url);
  const id = await idOf(app, person.email);
  const before = await countRows();
  for (const text of [person.email, id, "nobody@example.com"])
    await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`);
  await admin.fetch("/en/admin");
  const rows = await looksSince(before);
  expect(rows).toEqual([
    { action: "people_searched", person: id, after: { by: "address", found: [id] } },
    { action: "people_searched", person: id, after: { by: "id", found: [id] } },
    { action: "people_searched", person: null, after: { by: "address", found: [] } },
  ]);
});

test("an API key is found by its beginning, and a whole one is refused, not searched and not shown again", async () => {
  const key = createKeyText("live");
  const shown = shownPart(key);
  await app.sql("INSERT INTO credit_accounts (user_id) VALUES ($1) ON CONFLICT DO NOTHING", [
    userId,
  ]);
  await app.sql(
    `INSERT INTO api_keys (account_id, actor_id, name, prefix, token_hash, scopes)
     VALUES ($1, $1, 'A key', $2, decode(repeat('cd', 32), 'hex'), '{}')`,
    [userId, shown],
  );
  for (const text of [shown, `${shown}…`, `${shown}...`]) {
    const html = await (await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`)).text();
    expect([text, html.includes(`/en/admin/users/${userId}`)]).toEqual([text, true]);
    expect(new RegExp(`^(?:${SEARCHABLE})$`, "v").test(text)).toBe(true);
  }
  const before = await countRows();
  const spelled = [key.toUpperCase(), `key ${key}`, `key=${key}`, `x${key}`, `_${key}`];
  for (const text of [key, key.slice(0, -1), key.slice(0, 13), ...spelled]) {
    const response = await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/en/admin?refused=key",
    ]);
    expect(await response.text()).toBe("");
  }
  const refused = await (await admin.fetch("/en/admin?refused=key")).text();
  expect(refused).toContain("more than the beginning of an API key");
  for (const text of [key, `key ${key}`, `key=${key}`])
    expect([text, new RegExp(`^(?:${SEARCHABLE})$`, "v").test(text)]).toEqual([text, false]);
  expect(await countRows()).toBe(before);
});

test("an address in which the beginning of a key stands by chance is searched for", async () => {
  const person = await signUp(app.url);
  const id = await idOf(app, person.email);
  const address = "mercs_live_long@example.com";
  await app.sql("UPDATE users SET email = $2 WHERE id = $1", [id, address]);
  expect(new RegExp(`^(?:${SEARCHABLE})$`, "v").test(address)).toBe(true);
  const html = await (await admin.fetch(`/en/admin?q=${encodeURIComponent(address)}`)).text();
  expect(html).toContain(`/en/admin/users/${id}`);
});

test("a person is found by the number on each of their receipts, however it is spelled", async () => {
  const plan = await app.buy("plan");
  const pack = await app.buy("pack", { person: plan.person });
  for (const webhook of [...plan.webhooks, ...pack.webhooks]) await app.deliver(webhook);
  const id = await idOf(app, plan.person.email);
  const rows = await app.sql<{ id: string }>(
    `SELECT id FROM orders WHERE user_id = $1 UNION ALL
     SELECT paid.id FROM subscription_periods paid JOIN subscriptions ON subscriptions.id = subscription_id
     WHERE user_id = $1`,
    [id],
  );
  expect(rows).toHaveLength(2);
  const search = async (text: string) =>
    (await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`)).text();
  for (const number of rows.map((row) => orderNumber(row.id)))
    for (const text of [number, number.toLowerCase(), number.replaceAll("-", "")])
      expect([text, (await search(text)).includes(`/en/admin/users/${id}`)]).toEqual([text, true]);
  expect(await search("0000-0000-0000")).toContain("Nobody has that address, number or id.");
  // The person's page has the number of the order.
  const page = await (await admin.fetch(`/en/admin/users/${id}`)).text();
  expect(page).toContain(orderNumber(rows[0]?.id ?? ""));
});

test("a person is found by each id of theirs, and their page shows no prompt", async () => {
  const { person, sessionId, webhooks } = await app.buy("plan");
  for (const webhook of webhooks) await app.deliver(webhook);
  const id = await idOf(app, person.email);
  const [known] = await app.sql<Record<string, string>>(
    `SELECT provider_subscription_id AS sub, provider_customer_id AS customer, subscriptions.id AS row,
       (SELECT provider_payment_id FROM subscription_periods WHERE subscription_id = subscriptions.id) AS invoice
     FROM subscriptions WHERE user_id = $1`,
    [id],
  );
  expect(sessionId).not.toBe("");
  for (const text of [person.email.toUpperCase(), id, ...Object.values(known ?? {})]) {
    const html = await (await admin.fetch(`/en/admin?q=${encodeURIComponent(text)}`)).text();
    expect([text, html.includes(`/en/admin/users/${id}`)]).toEqual([text, true]);
  }
  const html = await (await admin.fetch(`/en/admin/users/${id}`)).text();
  expect(html).toContain(`https://dashboard.stripe.com/test/subscriptions/${known?.sub}`);
  expect(html).toContain("customer.subscription.created");
  // The person sees the look in their own pages, without who it was.
  const own = await (await person.fetch("/en/account/security")).text();
  expect(own).toContain("The account was looked at");
  expect(own).not.toContain(adminId);
});
