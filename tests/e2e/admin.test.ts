import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { createKeyText } from "~/models/accounts/api-key-text.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
import { MIDDLE_PACK, PLAN } from "../fixtures/sold";
import { ADMINS, createAdmin, idOf } from "../helpers/admins";
import { addAxe, listFindings } from "../helpers/axe";
import { expectNarrow, withBrowser } from "../helpers/browser";
import { type Client, signUp } from "../helpers/client";
import { createLot, createUser, DAY, passTime } from "../helpers/credits";
import { expectSoundLedger } from "../helpers/ledger";
import { subscriptionOf } from "../helpers/reconciliation";
import { PLAIN_PAGE_MODES } from "../helpers/runs";
import { bodyOf, signWebhook } from "../helpers/signed-webhook";
import { withPaymentServer } from "../helpers/with-payment-server";

// The walks of docs/admin.md, without a script and without another page or command.

const app = withPaymentServer("stripe", { ADMIN_EMAILS: ADMINS[0] });
const browser = withBrowser();
let admin: Client;

beforeAll(async () => {
  admin = await createAdmin(app);
});

async function openAsAdmin(options: { javaScript: boolean }): Promise<Page> {
  const page = await browser.open(options);
  await enter(page, admin);
  return page;
}

/** Lets the browser come as somebody who is signed in. */
async function enter(page: Page, client: Client): Promise<void> {
  const cookies = client.cookie().split("; ");
  await page.context().addCookies(
    cookies.map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name, value: value.join("="), url: app.url };
    }),
  );
}

/** Axe needs a script, so it looks at the same address in another window. */
async function expectAccessible({ url }: { url: string }): Promise<void> {
  const page = await openAsAdmin({ javaScript: true });
  await addAxe(page.context());
  await page.goto(url);
  expect(await listFindings(page)).toEqual([]);
  await page.context().close();
}

/** Opens the page of the person who wrote, as an admin finds it. */
async function findPerson(email: string): Promise<Page> {
  const page = await openAsAdmin({ javaScript: false });
  await page.goto(`${app.url}/en/admin`);
  await page.getByLabel("Find a person").fill(email);
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: email }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(email);
  return page;
}

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

const creditsOf = async (page: Page) =>
  Number(await section(page, "Who").locator("dt:has-text('Credits') + dd").textContent());

test("“I paid and have no credits”: the webhook secret is wrong", async () => {
  const { person, webhooks } = await app.buy("pack");
  for (const webhook of webhooks)
    expect((await app.deliver(signWebhook(app, bodyOf(webhook), "whsec_of_another"))).status).toBe(
      400,
    );
  // Refusals are counted a moment later.
  await expect.poll(() => app.sql("SELECT FROM webhook_rejections")).toHaveLength(1);
  const page = await findPerson(person.email);
  expect(await creditsOf(page)).toBe(0);
  expect(await section(page, "Orders").textContent()).not.toContain("paid");
  const refused = "Refused payment events of everybody: the signature is wrong";
  expect(await section(page, refused).textContent()).toContain("mismatch");
  await expectAccessible({ url: page.url() });
  await expectNarrow(page);

  await page.getByRole("link", { name: "Compare with the provider" }).click();
  expect(await section(page, "What differs").textContent()).toContain("Would");
  await expectAccessible({ url: page.url() });
  await expectNarrow(page);
  await page.getByRole("button", { name: "Compare with the provider" }).click();
  expect(await page.getByRole("status").first().textContent()).toContain("repaired");
  expect(await creditsOf(page)).toBe(MIDDLE_PACK.credits);
  expect(await section(page, "Orders").textContent()).toContain("paid");
  expect(await section(page, "Audit log").textContent()).toContain("matched with the provider");

  // The secret is corrected, and the events come after all.
  for (const webhook of webhooks) expect((await app.deliver(webhook)).status).toBe(200);
  await page.reload();
  expect(await creditsOf(page)).toBe(MIDDLE_PACK.credits);
  await expectSoundLedger(app);
});

test("the link to the admin pages is in the menu of admins alone", async () => {
  const page = await openAsAdmin({ javaScript: false });
  await page.goto(`${app.url}/en`);
  const link = page.locator("header .only-wide a[href='/en/admin']");
  await page.getByLabel("Account menu").click();
  await link.click();
  expect(page.url()).toBe(`${app.url}/en/admin`);
  const other = await (await (await signUp(app.url)).fetch("/en/account")).text();
  expect(other).not.toContain("/en/admin");
});

test("a browser sends no whole API key in the search", async () => {
  const page = await openAsAdmin({ javaScript: false });
  await page.goto(`${app.url}/en/admin`);
  await page.getByLabel("Find a person").fill(createKeyText("live"));
  await page.getByRole("button", { name: "Find" }).click();
  expect(page.url()).toBe(`${app.url}/en/admin`);
});

test.each(PLAIN_PAGE_MODES)(
  "a person lets the support look, and ends it, with JavaScript %s",
  async (javaScript) => {
    const person = await signUp(app.url);
    const page = await browser.open({ javaScript });
    await enter(page, person);
    await page.goto(`${app.url}/en/account/data`);
    await page.getByRole("button", { name: "Let our team look for 7 days" }).click();
    expect(await page.getByRole("status").first().textContent()).toContain("may look for 7 days");
    await page.getByRole("button", { name: "End it now" }).click();
    expect(await page.getByRole("status").first().textContent()).toContain("may no longer look");
    await expectNarrow(page);
  },
);

test("a long story has pages, and each movement its cause and its lots", async () => {
  const { person, webhooks } = await app.buy("pack");
  for (const webhook of webhooks) await app.deliver(webhook);
  await app.sql(
    `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, remaining, description)
     SELECT id, 'adjustment', 1, $2 + n, 'adjustment:story-' || n, 1, 'row number ' || n
     FROM users, generate_series(1, 60) AS n WHERE email = $1 ORDER BY n`,
    [person.email, MIDDLE_PACK.credits],
  );
  await app.sql(
    "UPDATE credit_accounts SET balance = balance + 60 WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    [person.email],
  );
  const page = await findPerson(person.email);
  const story = section(page, "Movements");
  expect(await story.textContent()).toContain("row number 60");
  expect(await story.textContent()).not.toContain(`pack: order`);
  await story.getByRole("link", { name: "Older" }).click();
  expect(await story.textContent()).toContain("pack: order");
  expect(await story.textContent()).toContain(`${MIDDLE_PACK.credits} left, never ends`);
  await expectNarrow(page);
  await expectSoundLedger(app);
});

/** Of each list far more than a phone shows. */
async function plantHistory(userId: string): Promise<void> {
  const many = "generate_series(1, 40) AS n";
  for (const text of [
    `INSERT INTO orders (user_id, provider, sku_key, provider_checkout_id, provider_payment_id, status, amount, currency, credits)
     SELECT $1, 'stripe', '${MIDDLE_PACK.skuKey}', 'cs_long_' || n, 'pi_long_' || n, 'pending', 500, 'usd', 50 FROM ${many}`,
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, status, names, received_at, processed_at)
     SELECT 'stripe', 'id:long_' || n, 'a.test', '{}', CASE WHEN n = 20 THEN 'failed' ELSE 'processed' END::webhook_status,
       ARRAY[$1::text], now() - make_interval(hours => n), CASE WHEN n <> 20 THEN now() END FROM ${many}`,
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale, sent_at)
     SELECT $1, 'account_deleted', 'person@example.com', 'en', now() FROM ${many}`,
    `INSERT INTO sessions (user_id, token_hash, expires_at)
     SELECT $1, sha256(convert_to('long' || n, 'UTF8')), now() + interval '1 day' FROM ${many}`,
    `INSERT INTO audit_log (actor, action, subject_user_id)
     SELECT 'operator:test', 'user_signed_out', $1 FROM ${many}`,
  ])
    await app.sql(text, [userId]);
}

/** Pixels. A phone's screen has about 800. */
const SHORT = 6_000;

test("a person with a long history has a short page on a phone: what failed and the newest, and the rest a press away", async () => {
  const { person, webhooks } = await app.buy("pack");
  for (const webhook of webhooks) await app.deliver(webhook);
  const userId = await idOf(app, person.email);
  await plantHistory(userId);
  const page = await openAsAdmin({ javaScript: false });
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${app.url}/en/admin/users/${userId}`);
  const height = () => page.locator("main").evaluate((main) => main.scrollHeight);
  expect(await height()).toBeLessThan(SHORT);
  const events = section(page, "Payment events");
  expect(await events.locator("tbody tr:visible").count()).toBe(3);
  // Nineteen came after it.
  const failed = events.locator("tbody tr:visible", { hasText: "failed" });
  await failed.getByRole("link", { name: "Process again" }).click();
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Process again");
  await page.goBack();
  await section(page, "Emails").locator("summary").click();
  expect(await section(page, "Emails").locator("tbody tr:visible").count()).toBe(30);
  for (const more of await page.locator("details.more > summary").all())
    if (!(await more.evaluate((summary) => summary.parentElement?.hasAttribute("open"))))
      await more.click();
  expect(await height()).toBeGreaterThan(2 * SHORT);
  await expectNarrow(page);
  await expectAccessible({ url: page.url() });
});

test.each(PLAIN_PAGE_MODES)(
  "the key figures of a chosen day, each with its table and its file, with JavaScript %s",
  async (javaScript) => {
    const db = connectDb(app.databaseUrl);
    const userId = await createUser(db);
    await createLot(db, userId, 7);
    await passTime(db, userId, 3 * DAY);
    await makeFigureDays({ limit: 9 }, db);
    await db.$disconnect();
    const page = await openAsAdmin({ javaScript });
    await page.goto(`${app.url}/en/admin`);
    await page.getByRole("link", { name: "Key figures" }).click();
    const day = new Date(Date.now() - 2 * DAY).toISOString().slice(0, 10);
    await page.getByLabel("Up to the end of").fill(day);
    await page.getByRole("button", { name: "Show" }).click();
    expect(new URL(page.url()).searchParams.get("day")).toBe(day);
    const outstanding = page.locator("#outstanding");
    expect(await outstanding.getByRole("table").textContent()).toContain("free");
    const file = await outstanding.getByRole("link").getAttribute("href");
    expect(await (await admin.fetch(file ?? "")).text()).toContain("free");
    if (javaScript) await expectAccessible({ url: page.url() });
    await expectNarrow(page);
  },
);

test("“I was charged twice”: two paid orders, one refunded at the provider", async () => {
  const first = await app.buy("pack");
  const second = await app.buy("pack", { person: first.person });
  for (const webhook of [...first.webhooks, ...second.webhooks]) await app.deliver(webhook);
  const page = await findPerson(first.person.email);
  expect(await creditsOf(page)).toBe(2 * MIDDLE_PACK.credits);
  const links = section(page, "Orders").getByRole("link");
  expect(await links.count()).toBe(2);
  const payment = (await links.first().getAttribute("href")) ?? "";
  expect(payment).toMatch(/^https:\/\/dashboard\.stripe\.com\/test\/payments\/pi_/);
  // The admin's step behind that link.
  const returned = await app.hold(() =>
    app.control("stripe", "POST", `/payments/${payment.split("/").at(-1)}/refund`, {}),
  );
  for (const webhook of returned) await app.deliver(webhook);
  await page.reload();
  expect(await creditsOf(page)).toBe(MIDDLE_PACK.credits);
  expect(await section(page, "Orders").textContent()).toContain("refunded");
  await expectSoundLedger(app);
});

test.each(PLAIN_PAGE_MODES)(
  "a subscription is ended at once, with JavaScript %s: what was left of its month is gone",
  async (javaScript) => {
    const bought = await app.buy("plan");
    for (const webhook of bought.webhooks) await app.deliver(webhook);
    const page = await openAsAdmin({ javaScript });
    await page.goto(`${app.url}/en/admin/users/${await idOf(app, bought.person.email)}`);
    expect(await creditsOf(page)).toBe(PLAN.creditsPerMonth);
    await page.getByRole("link", { name: "End at once" }).click();
    await expectNarrow(page);
    await page.getByLabel("Reason").fill("asked for in a mail");
    await page.getByRole("button", { name: "End at once" }).click();
    expect(await page.getByRole("status").first().textContent()).toContain("has ended");
    expect(await creditsOf(page)).toBe(0);
    const plans = section(page, "Subscriptions");
    expect(await plans.textContent()).toContain("canceled");
    expect(await plans.getByRole("link", { name: "End at once" }).count()).toBe(0);
    expect(await section(page, "Movements").textContent()).toContain("the plan was ended at once");
    await expectSoundLedger(app);
  },
);

test("“My subscription is gone”: it was cancelled at the provider, and nobody told us", async () => {
  const bought = await app.buy("plan");
  for (const webhook of bought.webhooks) await app.deliver(webhook);
  const id = subscriptionOf(bought);
  await app.hold(() => app.control("stripe", "POST", `/subscriptions/${id}/cancel`, {}));
  const page = await findPerson(bought.person.email);
  const plans = section(page, "Subscriptions");
  expect(await plans.getByRole("link").first().getAttribute("href")).toContain(
    `/subscriptions/${id}`,
  );
  expect(await plans.textContent()).toContain("active");
  await page.getByRole("link", { name: "Compare with the provider" }).click();
  expect(await section(page, "What differs").textContent()).toContain("canceled");
  await page.getByRole("button", { name: "Compare with the provider" }).click();
  expect(await plans.textContent()).toContain("canceled");
  await expectSoundLedger(app);
});
