import { expect, test } from "vitest";
import { expectSoundLedger } from "../../helpers/ledger";
import { deliverAll, reconcile, subscriptionOf } from "../../helpers/reconciliation";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;

async function subscriber(app: PaymentServerUnderTest) {
  const purchase = await app.buy("plan");
  await deliverAll(app, purchase.webhooks);
  const id = subscriptionOf(purchase);
  return {
    person: purchase.person,
    id,
    change: (how: string) =>
      app.hold(() => app.control(app.provider, "POST", `/subscriptions/${id}/${how}`)),
    async status() {
      const [row] = await app.sql<{ status: string; ended: boolean }>(
        `SELECT status, ended_at IS NOT NULL AS ended FROM subscriptions
         WHERE provider_subscription_id = $1`,
        [id],
      );
      return row;
    },
  };
}

test.each(BOTH)(
  "%s: a subscription that it doesn't have is ended by --apply, once",
  async (name) => {
    const app = APPS[name];
    for (const status of ["active", "expired", "unknown"]) {
      const { id, change, status: statusOf } = await subscriber(app);
      await change("forget");
      await app.sql(
        "UPDATE subscriptions SET status = $2::subscription_status WHERE provider_subscription_id = $1",
        [id, status],
      );
      const object = `subscription ${id}`;
      const says = `${status} here, not there`;
      expect(await reconcile(app)).toMatchObject([
        { object, says, repair: { does: "end it here" } },
      ]);
      expect(await statusOf()).toEqual({ status, ended: false });
      expect(await reconcile(app, { apply: true })).toMatchObject([
        { object, applied: true, failure: null },
      ]);
      expect(await statusOf()).toEqual({ status: "canceled", ended: true });
      expect(await reconcile(app, { apply: true })).toEqual([]);
    }
    await expectSoundLedger(app);
  },
);

test.each(BOTH)(
  "%s: one that has ended here and renews there is named for the operator",
  async (name) => {
    const app = APPS[name];
    const { person, id, change } = await subscriber(app);
    await app.sql(
      "UPDATE subscriptions SET status = 'canceled', ended_at = now() WHERE provider_subscription_id = $1",
      [id],
    );
    expect(await reconcile(app, { apply: true })).toMatchObject([
      {
        object: `subscription ${id}`,
        says: "active there and renewing; canceled here",
        applied: false,
      },
    ]);
    await change("cancel");
    expect(await reconcile(app)).toEqual([]);
    expect((await person.json("POST", "/api/payments/subscription/cancel", {})).status).toBe(404);
  },
);
