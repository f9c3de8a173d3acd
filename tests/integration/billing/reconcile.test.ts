import { expect, test } from "vitest";
import { MIDDLE_PACK, PLAN } from "../../fixtures/sold";
import { expectSoundLedger } from "../../helpers/ledger";
import { press } from "../../helpers/payments";
import { billingOf, deliverAll, reconcile } from "../../helpers/reconciliation";
import { buyPlan, STORIES } from "../../helpers/reconciliation-stories";
import { someOf } from "../../helpers/runs";
import { withPaymentServer } from "../../helpers/with-payment-server";

const creem = withPaymentServer("creem");
const APPS = { stripe: withPaymentServer("stripe"), creem };

for (const [at, provider] of (["stripe", "creem"] as const).entries()) {
  test.each(someOf(Object.entries(STORIES), 2, at))(
    `${provider}: %s that no webhook told of is found, and repaired as the webhook would have done`,
    async (name, { says, story }) => {
      const app = APPS[provider];
      // One user gets every delivery, the other loses the rest.
      const twin = await story(app);
      await deliverAll(app, [...twin.delivered, ...twin.lost]);
      const { email, delivered, lost } = await story(app);
      await deliverAll(app, delivered);
      const before = await billingOf(app, email);

      const found = await reconcile(app);
      const [first, ...others] = found;
      expect(first?.says).toMatch(says);
      expect(others).toHaveLength(furtherFindings(name, provider));
      expect(await billingOf(app, email)).toEqual(before);

      const applied = await reconcile(app, { apply: true });
      expect(applied.map(({ applied, failure }) => ({ applied, failure }))).toEqual(
        applied.map(() => ({ applied: true, failure: null })),
      );
      expect(applied.length).toBeGreaterThan(0);
      const after = await billingOf(app, email);
      expect(after).toEqual(await billingOf(app, twin.email));

      expect(await reconcile(app, { apply: true })).toEqual([]);

      expect(new Set(await deliverAll(app, lost))).toEqual(new Set([200]));
      expect(await billingOf(app, email)).toEqual(after);
      expect(await reconcile(app)).toEqual([]);
      await expectSoundLedger(app);
    },
  );
}

/** Every order of up to so many, or some of them. */
function someOrders<T>(items: T[], count: number): T[][] {
  return Array.from({ length: count }, (_, round) =>
    items
      .map((item, at) => ({ item, key: ((at + 1) * (2 * round + 3)) % (items.length + 1.5) }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item),
  );
}

test.each(["stripe", "creem"] as const)(
  "%s: after a week's outage both sides agree, in whatever order its events come later",
  async (provider) => {
    const app = APPS[provider];
    const week = async () => {
      const { email, id, delivered } = await buyPlan(app);
      const lost = await app.hold(async () => {
        const tell = (path: string, body = {}) => app.control(provider, "POST", path, body);
        await tell(`/subscriptions/${id}/renew`);
        await tell(`/payments/${id}/refund`, { amount: Math.floor(PLAN.amounts.month / 3) });
        await tell(`/subscriptions/${id}/renew`, { outcome: "fail" });
        await tell(`/subscriptions/${id}/collect`);
        await tell(`/payments/${id}/refund`, { amount: Math.floor(PLAN.amounts.month / 2) });
      });
      return { email, delivered, lost };
    };
    const twin = await week();
    await deliverAll(app, [...twin.delivered, ...twin.lost]);
    const expected = await billingOf(app, twin.email);
    for (let order = 0; order < 3; order += 1) {
      const { email, delivered, lost } = await week();
      await deliverAll(app, delivered);
      await reconcile(app, { apply: true });
      expect(await reconcile(app)).toEqual([]);
      const after = await billingOf(app, email);
      expect(after).toEqual(expected);
      // The events are a week old by then, and here only a second.
      await app.sql("UPDATE subscriptions SET provider_event_at = now() + interval '1 minute'");
      const shuffled = someOrders(lost, 3)[order] ?? [];
      expect(new Set(await deliverAll(app, shuffled))).toEqual(new Set([200]));
      expect(await billingOf(app, email)).toEqual(after);
    }
    await expectSoundLedger(app);
  },
);

/** A refund is a finding of its own, if the provider says whose payment it was. */
function furtherFindings(name: string, provider: "stripe" | "creem"): number {
  if (name === "a renewal and its refund") return 1;
  return name === "a pack and its refund" && provider === "stripe" ? 1 : 0;
}

test("Creem: a plan that is paid for, and stays past due because its end is scheduled, is found", async () => {
  const { email, id, person, delivered } = await buyPlan(creem);
  await deliverAll(creem, delivered);
  const { body } = await person.json("POST", "/api/payments/portal");
  const ending = await creem.hold(() =>
    press(String(body.url), { intent: "cancel_at_period_end", subscription: id }),
  );
  await deliverAll(creem, ending);
  // As a version before left it that heard of the end before the payment.
  const statuses = await creem.sql<{ status: string }>(
    `UPDATE subscriptions SET status = 'past_due' FROM users
     WHERE users.id = user_id AND email = $1 RETURNING status`,
    [email],
  );
  expect(statuses).toEqual([{ status: "past_due" }]);
  expect(await reconcile(creem, { apply: true })).toMatchObject([
    { says: "status active there, past_due here", applied: true },
  ]);
  expect((await billingOf(creem, email)).subscriptions).toMatchObject([
    { status: "active", cancel_at_period_end: true },
  ]);
  expect(await reconcile(creem)).toEqual([]);
});

test("Creem: a failure told after the comparison that noted its payment changes nothing", async () => {
  const { email, id, person, delivered } = await buyPlan(creem);
  const failed = await creem.hold(() =>
    creem.control("creem", "POST", `/subscriptions/${id}/renew`, { outcome: "fail" }),
  );
  await creem.hold(() => creem.control("creem", "POST", `/subscriptions/${id}/collect`));
  await deliverAll(creem, delivered);
  const { body } = await person.json("POST", "/api/payments/portal");
  const ending = await creem.hold(() =>
    press(String(body.url), { intent: "cancel_at_period_end", subscription: id }),
  );
  // Of the three the end alone is told, with the period that was paid for. So the payment is all that the comparison finds.
  await deliverAll(creem, ending);
  expect(await reconcile(creem, { apply: true })).toMatchObject([
    { says: expect.stringMatching(/^paid until/), applied: true },
  ]);
  await deliverAll(creem, failed);
  expect((await billingOf(creem, email)).subscriptions).toMatchObject([{ status: "active" }]);
});

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test("an event after the reading is newer, however soon it arrives", async () => {
  for (const app of Object.values(APPS)) {
    const { email, id, delivered } = await buyPlan(app);
    await deliverAll(app, delivered);
    await app.hold(() =>
      app.control(app.provider, "POST", `/subscriptions/${id}/renew`, { outcome: "fail" }),
    );
    expect(await reconcile(app, { apply: true })).toMatchObject([{ applied: true }]);
    const paid = await app.hold(() =>
      app.control(app.provider, "POST", `/subscriptions/${id}/collect`),
    );
    await deliverAll(app, paid);
    expect((await billingOf(app, email)).subscriptions).toMatchObject([{ status: "active" }]);
    expect(await reconcile(app)).toEqual([]);
  }
});

test("a row unknown to the provider is reported, and left unchanged without --apply", async () => {
  const app = APPS.stripe;
  const { person, webhooks } = await app.buy("pack");
  const subscriber = await buyPlan(app);
  await deliverAll(app, [...webhooks, ...subscriber.delivered]);
  const of = (email: string) => [email, "forged"];
  await app.sql(
    `UPDATE orders SET provider_checkout_id = 'cs_forged', provider_payment_id = 'pi_forged'
     FROM users WHERE users.id = user_id AND email = $1 AND $2 <> ''`,
    of(person.email),
  );
  await app.sql(
    `UPDATE subscriptions SET provider_subscription_id = 'sub_forged'
     FROM users WHERE users.id = user_id AND email = $1 AND $2 <> ''`,
    of(subscriber.email),
  );
  const said = (await reconcile(app)).map(({ object, says }) => `${object}: ${says}`);
  expect(said).toEqual([
    expect.stringMatching(
      new RegExp(`^checkout cs_test_\\w+: ${MIDDLE_PACK.credits} credits .* no order here$`),
    ),
    expect.stringMatching(/^subscription sub_\w+: active there, not here$/),
    "subscription sub_forged: active here, not there",
    `payment pi_forged: an order of ${MIDDLE_PACK.credits} credits here, no payment there`,
  ]);
  const [left] = await app.sql<{ forged: number }>(
    `SELECT count(*)::int AS forged FROM orders WHERE provider_payment_id = 'pi_forged'`,
  );
  expect(left).toEqual({ forged: 1 });
  await app.sql("DELETE FROM orders WHERE provider_payment_id = 'pi_forged'");
  await app.sql(
    `DELETE FROM subscription_periods USING subscriptions
     WHERE subscriptions.id = subscription_id AND provider_subscription_id = 'sub_forged'`,
  );
  await app.sql("DELETE FROM subscriptions WHERE provider_subscription_id = 'sub_forged'");
  await reconcile(app, { apply: true });
});

test("--since and --user filter, and a checkout given by its id is checked anyway", async () => {
  for (const app of Object.values(APPS)) {
    const { person, sessionId } = await app.buy("pack");
    const { person: other } = await app.buy("pack");
    const [{ id: userId = "" } = {}] = await app.sql<{ id: string }>(
      "SELECT id FROM users WHERE email = $1",
      [person.email],
    );
    expect(await reconcile(app, { userId })).toMatchObject([{ userId }]);
    if (app.provider === "creem") {
      expect(await reconcile(app, { since: secondsAgo(-60) })).toEqual([]);
      // Sessions are kept for a week; a paid pack is found without them.
      await app.sql("DELETE FROM idempotency_keys");
      expect(await reconcile(app)).toMatchObject([{ repair: null }, { repair: null }]);
    }
    await reconcile(app, { apply: true, checkouts: [sessionId], since: secondsAgo(-60) });
    expect((await billingOf(app, person.email)).ledger).toMatchObject([
      { amount: MIDDLE_PACK.credits },
    ]);
    if (app.provider === "creem") expect((await billingOf(app, other.email)).ledger).toBe(null);
  }
});
