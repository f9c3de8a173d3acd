import { expect, test } from "vitest";
import { MIDDLE_PACK, shown } from "../../fixtures/sold";
import { signUp } from "../../helpers/client";
import { giveCredits } from "../../helpers/ledger";
import { withPaymentServer } from "../../helpers/with-payment-server";

const app = withPaymentServer("stripe", { NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true" });
const CSV = "/en/account/credits.csv";

test("the table has every movement once, newest first, and no text that could run", async () => {
  const person = await signUp(app.url);
  for (let count = 1; count <= 450; count += 1) await giveCredits(app, person.email, 1);
  await app.sql(
    `INSERT INTO credit_transactions (user_id, type, amount, balance_after, source, description)
     SELECT id, 'adjustment', -1, 449, 'adjustment:evil', '=HYPERLINK("https://evil.test")'
     FROM users WHERE email = $1`,
    [person.email],
  );
  const response = await person.fetch(CSV);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toContain('filename="credits.csv"');
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  const lines = new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(await response.arrayBuffer())
    .split("\r\n");
  expect(lines[0]).toBe("\uFEFFTime (UTC),Kind,What,Credits,Balance,Expires (UTC),API key");
  expect(lines[1]).toContain(`adjustment,"'=HYPERLINK(""https://evil.test"")",-1,449,,`);
  const balances = lines.slice(2, -1).map((line) => Number(line.split(",").at(-3)));
  expect(balances).toEqual(Array.from({ length: 450 }, (_, index) => 450 - index));
});

test("the table is its owner's alone, and limited", async () => {
  const visitor = await fetch(app.url + CSV, { redirect: "manual" });
  expect([visitor.status, visitor.headers.get("Location")]).toEqual([
    302,
    expect.stringContaining("/en/sign-in"),
  ]);
  const server = await app.startAnother({ RATE_LIMIT_SCALE: "0.2" });
  const person = await signUp(server.url);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await person.fetch(CSV)).status);
  expect(statuses).toEqual([200, 200, 429]);
  await server.stop();
});

test("the credits page filters by kind, and an unknown kind shows all", async () => {
  const person = await signUp(app.url);
  await giveCredits(app, person.email, 7);
  const rowsOf = async (kind: string) => {
    const page = await (await person.fetch(`/en/account/credits?kind=${kind}`)).text();
    const [, history = ""] = page.split('id="movements"');
    return history.match(/<td class="first">/g)?.length ?? 0;
  };
  expect(await Promise.all(["all", "other", "image", "nonsense"].map(rowsOf))).toEqual([
    1, 1, 0, 1,
  ]);
});

test("the page after checkout waits for the webhook, then shows the buyer what was bought", async () => {
  const { person, webhooks } = await app.buy("pack");
  const look = async () => (await person.fetch("/en/checkout/success")).text();
  const before = await app.sql("SELECT count(*) FROM credit_transactions");
  const waiting = await look();
  expect(waiting).toContain("data-checkout-waiting");
  expect(waiting).toMatch(/http-equiv="refresh" content="3;url=\?look=1"/i);
  expect(await app.sql("SELECT count(*) FROM credit_transactions")).toEqual(before);
  const last = await (await person.fetch("/en/checkout/success?look=20")).text();
  expect(last).not.toMatch(/http-equiv="refresh"/i);
  const stranger = await signUp(app.url);
  expect(await (await stranger.fetch("/en/checkout/success")).text()).not.toContain(
    "data-checkout-waiting",
  );

  for (const webhook of webhooks) await app.deliver(webhook);
  const arrived = await look();
  expect(arrived).not.toContain("data-checkout-waiting");
  const told = [
    `+${MIDDLE_PACK.credits.toLocaleString("en")}`,
    "credits are yours",
    shown(MIDDLE_PACK.amount),
    "/en/account/orders/",
  ];
  const inOrder = told.map((text) => text.replaceAll(/[$+.]/g, "\\$&")).join(".*");
  expect(arrived).toMatch(new RegExp(inOrder, "s"));
  expect(await (await stranger.fetch("/en/checkout/success")).text()).not.toContain("are yours");
  await app.sql("UPDATE idempotency_keys SET created_at = created_at - interval '2 hours'");
  expect(await look()).not.toContain("are yours");
});
