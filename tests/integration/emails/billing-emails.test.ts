import { expect, test } from "vitest";
import { outboxOf } from "../../helpers/outbox";
import { ofType, withPaymentServer } from "../../helpers/with-payment-server";

// The mail server is away: what is queued stays to be counted.
const app = withPaymentServer("stripe", {
  SMTP_URL: "smtp://127.0.0.1:9",
  EMAIL_FROM: "noreply@example.com",
});

const newsOf = async (email: string) =>
  (await outboxOf(app, email)).flatMap(({ kind }) => (kind === "verify_email" ? [] : [kind]));

test("an order's receipt is queued once, however often and in whatever order its events come", async () => {
  const { person, webhooks } = await app.buy("pack");
  const checkout = ofType(webhooks, "checkout.session.completed");
  await Promise.all([1, 2, 3].map(() => app.deliver(checkout)));
  await app.sql("UPDATE webhook_inbox SET status = 'failed', lease_until = NULL");
  await app.deliver(checkout);
  expect(await newsOf(person.email)).toEqual(["receipt"]);
});

test("an order that was paid days ago gets no receipt when its event comes again", async () => {
  const { person, webhooks } = await app.buy("pack");
  const checkout = ofType(webhooks, "checkout.session.completed");
  await app.deliver(checkout);
  await app.sql("DELETE FROM outbox_emails");
  await app.sql("UPDATE orders SET paid_at = now() - interval '4 days'");
  await app.sql("UPDATE webhook_inbox SET status = 'failed', lease_until = NULL");
  await app.deliver(checkout);
  expect(await newsOf(person.email)).toEqual([]);
});

test("a plan's first payment gets one receipt, and its cancellation one email", async () => {
  const { person, webhooks } = await app.buy("plan");
  for (const webhook of [...webhooks, ...webhooks]) await app.deliver(webhook);
  expect(await newsOf(person.email)).toEqual(["receipt"]);
  const cancel = () => person.json("POST", "/api/payments/subscription/cancel", {});
  const held = await app.hold(async () => {
    for (const { status } of await Promise.all([cancel(), cancel()])) expect(status).toBe(200);
  });
  for (const webhook of held) await app.deliver(webhook);
  expect(await newsOf(person.email)).toEqual(["receipt", "subscription_ending"]);
});

test("a kind that the person turned off is not queued", async () => {
  const { person, webhooks } = await app.buy("pack");
  await app.sql("UPDATE users SET muted_emails = '{receipt}' WHERE email = $1", [person.email]);
  for (const webhook of webhooks) await app.deliver(webhook);
  expect(await newsOf(person.email)).toEqual([]);
});
