import { expect, test } from "vitest";
import { auditLedger } from "~/models/upkeep/audit.server";
import { HAS_TWO_PLANS, MIDDLE_PACK, PLAN, written } from "../../fixtures/sold";
import { refund } from "../../helpers/payments";
import { databaseOf, deliverAll, reconcile } from "../../helpers/reconciliation";
import { createWeekCustomer, tellEnded, type WeekCustomer } from "../../helpers/week-customer";
import { standingOf, WEEKS } from "../../helpers/week-stories";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };

async function runGrants(app: PaymentServerUnderTest): Promise<void> {
  const { status } = await fetch(`${app.url}/api/cron/subscription-credits`, {
    headers: { Authorization: `Bearer ${app.env.CRON_SECRET}` },
  });
  expect(status).toBe(200);
}

/** A customer to whom it all happens: what was told of the week, and not delivered. */
async function live(app: PaymentServerUnderTest, { before, week }: (typeof WEEKS)[string]) {
  const customer = await createWeekCustomer(app);
  await deliverAll(app, await app.hold(async () => before?.(customer)));
  const lost = await app.hold(() => week(customer));
  // The week is over: what comes now is of no second in which something was written here.
  await app.sql("UPDATE subscriptions SET own_write_at = own_write_at - interval '1 week'");
  return { customer, lost };
}

/** Compares and repairs; then the operator tells what is left. Nothing differs after that. */
async function makeUp(app: PaymentServerUnderTest, customer: WeekCustomer): Promise<void> {
  const found = await reconcile(app, { apply: true });
  for (const { repair, applied, failure } of found)
    expect({ applied, failure }).toEqual({ applied: repair !== null, failure: null });
  const left = found.filter(({ repair }) => repair === null).map(({ object }) => object);
  await tellEnded(app, customer, (payment) => left.includes(`payment ${payment}`));
  await runGrants(app);
  expect(await reconcile(app)).toEqual([]);
}

for (const provider of ["stripe", "creem"] as const) {
  const stories = Object.entries(WEEKS).filter(
    ([, { at, isOfTwoPlans }]) => (!at || at === provider) && (!isOfTwoPlans || HAS_TWO_PLANS),
  );
  test.each(stories)(
    `${provider}, a week without webhooks: %s`,
    { timeout: 180_000 },
    async (_name, story) => {
      const app = APPS[provider];
      const twin = await live(app, story);
      await deliverAll(app, twin.lost);
      await tellEnded(app, twin.customer);
      await runGrants(app);
      const expected = await standingOf(app, twin.customer);
      expect(await reconcile(app)).toEqual([]);

      const { customer, lost } = await live(app, story);
      await makeUp(app, customer);
      expect(await standingOf(app, customer)).toEqual(expected);

      // The webhooks come at last, the newest first.
      expect(new Set(await deliverAll(app, lost.toReversed()))).toEqual(new Set([200]));
      await makeUp(app, customer);
      expect(await standingOf(app, customer)).toEqual(expected);
      expect((await auditLedger({}, databaseOf(app))).faults).toBe(0);
    },
  );
}

test("creem: a pending refund, which its sum doesn't hold yet, is named until it is over", async () => {
  const app = APPS.creem;
  const half = Math.floor(MIDDLE_PACK.amount / 2);
  const given = MIDDLE_PACK.credits + PLAN.creditsPerMonth;
  const customer = await createWeekCustomer(app);
  let id = "";
  const events = await app.hold(async () => {
    id = await refund(app, customer.pack, { amount: half, status: "pending" });
  });
  await deliverAll(app, events);
  expect(await standingOf(app, customer)).toMatchObject({
    balance: given - Math.floor((MIDDLE_PACK.credits * half) / MIDDLE_PACK.amount),
  });
  expect(await reconcile(app)).toMatchObject([
    {
      says: `only ${written(0)} paid back there, ${written(half)} here`,
      advice: expect.stringContaining("still pending there"),
      repair: null,
    },
  ]);
  await customer.failRefund(id);
  await makeUp(app, customer);
  expect(await standingOf(app, customer)).toMatchObject({ balance: given });
});
