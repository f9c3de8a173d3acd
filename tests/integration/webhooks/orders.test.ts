import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { MIDDLE_PACK, PLAN, TOP_PLAN } from "../../fixtures/sold";
import type { Person } from "../../helpers/client";
import { expectSoundLedger, ledgerOf } from "../../helpers/ledger";
import {
  ofType,
  type PaymentServerUnderTest,
  permutations,
  withPaymentServer,
} from "../../helpers/with-payment-server";

const stripe = withPaymentServer("stripe");
const creem = withPaymentServer("creem");
const APPS = { stripe, creem };

/**
 * Returns the result of three deliveries of one subscription, without what differs between two
 * users.
 */
async function outcomeOf(app: PaymentServerUnderTest, { email }: Person) {
  const [row] = await app.sql<Record<string, unknown>>(
    `SELECT provider, plan_key, period, status, cancel_at_period_end, ended_at, grants_issued,
       provider_customer_id IS NOT NULL AS has_customer,
       grant_anchor_at = current_period_start AS anchored, paid_until = current_period_end AS paid_through,
       (SELECT json_agg(json_build_object('kind', kind, 'from', starts_at = current_period_start,
          'until', ends_at = current_period_end, 'paid', provider_payment_id IS NOT NULL))
        FROM subscription_periods WHERE subscription_id = subscriptions.id) AS periods,
       next_grant_at = current_period_end AS next, provider_event_at IS NOT NULL AS dated
     FROM subscriptions JOIN users ON users.id = user_id WHERE email = $1`,
    [email],
  );
  const grants = await app.sql<{ amount: number; expires: boolean; source: string }>(
    `SELECT amount, t.expires_at = s.current_period_end AS expires,
       replace(source, provider_subscription_id, '<id>') AS source
     FROM credit_transactions t JOIN users ON users.id = t.user_id
       JOIN subscriptions s ON s.user_id = users.id
     WHERE email = $1`,
    [email],
  );
  return { row, grants };
}

const TYPES = {
  stripe: ["checkout.session.completed", "customer.subscription.created", "invoice.paid"],
  creem: ["checkout.completed", "subscription.active", "subscription.paid"],
} as const;

for (const provider of ["stripe", "creem"] as const) {
  test.each(permutations(TYPES[provider]))(
    `${provider}: one first grant and the same rows after %s, %s, %s, each twice`,
    async (...order) => {
      const app = APPS[provider];
      const { person, webhooks } = await app.buy("plan");
      for (const type of order) {
        const delivery = ofType(webhooks, type);
        expect(await app.deliver(delivery)).toEqual({ status: 200, body: { deduped: false } });
        expect(await app.deliver(delivery)).toEqual({ status: 200, body: { deduped: true } });
      }
      const { row, grants } = await outcomeOf(app, person);
      expect(row).toEqual({
        provider,
        plan_key: PLAN.planKey,
        period: "month",
        status: "active",
        cancel_at_period_end: false,
        ended_at: null,
        grants_issued: 1,
        has_customer: true,
        anchored: true,
        paid_through: true,
        periods: [{ kind: "paid", from: true, until: true, paid: true }],
        next: true,
        dated: true,
      });
      expect(grants).toEqual([
        {
          amount: PLAN.creditsPerMonth,
          expires: true,
          source: expect.stringMatching(
            new RegExp(`^subscription:${provider}:<id>:\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z$`),
          ),
        },
      ]);
      await expectSoundLedger(app);
    },
  );

  test(`${provider}: a pack's credits come with its paid checkout, once`, async () => {
    const app = APPS[provider];
    const { person, webhooks, sessionId } = await app.buy("pack");
    const checkout = ofType(webhooks, TYPES[provider][0]);
    expect(await app.deliver(checkout)).toEqual({ status: 200, body: { deduped: false } });
    expect(await app.deliver(checkout)).toEqual({ status: 200, body: { deduped: true } });
    expect(await ledgerOf(app, person.email)).toEqual([["grant", MIDDLE_PACK.credits]]);
    const orders = await app.sql(
      `SELECT provider, provider_checkout_id, provider_payment_id IS NOT NULL AS payment, sku_key,
         credits, orders.amount::int, currency, status, source
       FROM orders JOIN users ON users.id = orders.user_id
         JOIN credit_transactions t ON t.reference = orders.id::text
       WHERE email = $1`,
      [person.email],
    );
    expect(orders).toEqual([
      {
        provider,
        provider_checkout_id: sessionId,
        payment: true,
        sku_key: MIDDLE_PACK.skuKey,
        credits: MIDDLE_PACK.credits,
        amount: MIDDLE_PACK.amount,
        currency: CURRENCY,
        status: "paid",
        source: `order:${provider}:${sessionId}`,
      },
    ]);
  });
}

test.each(["before", "since"] as const)(
  "Stripe's payloads from %s 'basil' give the same rows",
  async (generation) => {
    await stripe.control("stripe", "PUT", "/payloads", {
      generation: generation === "before" ? "acacia" : "basil",
    });
    const { person, webhooks } = await stripe.buy("plan", {
      planKey: TOP_PLAN.planKey,
      period: "year",
    });
    const body = new TextDecoder().decode(
      ofType(webhooks, "customer.subscription.created").rawBody,
    );
    // Before, the period is the subscription's own; since then, its items'.
    const { data } = JSON.parse(body) as { data: { object: object } };
    expect("current_period_end" in data.object).toBe(generation === "before");
    for (const webhook of webhooks) expect((await stripe.deliver(webhook)).status).toBe(200);
    const { row, grants } = await outcomeOf(stripe, person);
    expect(row).toMatchObject({
      plan_key: TOP_PLAN.planKey,
      period: "year",
      status: "active",
      grants_issued: 1,
      has_customer: true,
      anchored: true,
      paid_through: true,
    });
    expect(grants).toMatchObject([{ amount: TOP_PLAN.creditsPerMonth, expires: false }]);
  },
);
