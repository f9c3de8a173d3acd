import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { parseEnv } from "~/env.server";
import { endSubscriptionAs } from "~/models/admin/billing-actions.server";
import { refundSpends } from "~/models/billing/returns/spend-refunds.server";
import { getBalance } from "~/models/credits/balance.server";
import { causeKindOf } from "~/models/credits/cause";
import { grantCredits } from "~/models/credits/grants.server";
import { spendCredits } from "~/models/credits/spends.server";
import { auditLedger } from "~/models/upkeep/audit.server";
import { allowAddressesOf } from "~/services/outgoing/allowed-origins.server";
import { createPaymentProvider } from "~/services/payments/get-payment-provider.server";
import { PLAN } from "../../fixtures/sold";
import { idOf } from "../../helpers/admins";
import { refund } from "../../helpers/payments";
import { databaseOf, deliverAll, reconcile, subscriptionOf } from "../../helpers/reconciliation";
import { byRun } from "../../helpers/runs";
import type { ReceivedWebhook } from "../../helpers/webhook-receiver";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;

const NOWHERE = "http://127.0.0.1:9";
const OTHER_CREDITS = 7;
const SPENT = 30;
const GRANTED = PLAN.creditsPerMonth;

/** A subscriber who has spent something of their month, and has credits of another kind. */
async function createSubscriber(app: PaymentServerUnderTest) {
  const purchase = await app.buy("plan");
  await deliverAll(app, purchase.webhooks);
  const atProvider = subscriptionOf(purchase);
  const userId = await idOf(app, purchase.person.email);
  const db = databaseOf(app);
  await spendCredits({ userId, amount: SPENT, source: `generation:${randomUUID()}` }, db);
  const given = { userId, amount: OTHER_CREDITS, source: `test:${randomUUID()}`, expiresAt: null };
  await grantCredits(given, db);
  const { id: subscriptionId } = await db.subscription.findFirstOrThrow({ where: { userId } });
  const environment = {
    AUTH_SECRET: "test-secret-that-is-long-enough-to-be-one",
    NEXT_PUBLIC_SITE_URL: app.url,
    ...app.env,
    DATABASE_URL: app.databaseUrl,
  };
  // The effects read the catalog's prices from there.
  Object.assign(process.env, environment);
  const env = parseEnv(environment);
  allowAddressesOf(env);
  const provider = createPaymentProvider(app.provider, env.payments);
  // Nothing listens there.
  const nowhere = { PROVIDER_A_API_BASE: NOWHERE, PROVIDER_B_API_BASE: NOWHERE };
  const gone = createPaymentProvider(
    app.provider,
    parseEnv({ ...environment, ...nowhere }).payments,
  );
  const asked = { actor: "operator:test", userId, subscriptionId, reason: "a test" };
  const pending: { source: string; amount: number }[] = [];
  return {
    userId,
    subscriptionId,
    atProvider,
    /** Spends of runs that go on. */
    async begin(...amounts: number[]) {
      for (const amount of amounts) {
        const source = `generation:${randomUUID()}`;
        await spendCredits({ userId, amount, source }, db);
        pending.push({ source, amount });
      }
    },
    /** One of those runs fails; with `amount`, so many of its credits weren't needed. */
    async fail(amount?: number) {
      const { source } = pending.pop() ?? { source: "" };
      const back = { source, ...(amount ? { amount } : {}) };
      await db.$transaction((transaction) => refundSpends([back], transaction));
    },
    endAtPeriodEnd: () =>
      provider.cancelSubscription({ providerSubscriptionId: atProvider, when: "period_end" }),
    end: () => endSubscriptionAs(asked, () => provider, db),
    endUnheard: () => endSubscriptionAs(asked, () => gone, db),
    balance: () => getBalance(userId, db),
    async row() {
      const { status } = await db.subscription.findFirstOrThrow({ where: { userId } });
      const [period] = await db.subscriptionPeriod.findMany({ where: { subscriptionId } });
      return {
        status,
        given: (period?.grantedCredits ?? 0) - (period?.creditsReversed ?? 0),
        owed: period?.creditsShort,
      };
    },
    audit: (action = "subscription_ended") =>
      db.auditRow.findMany({ where: { subjectUserId: userId, action } }),
    async faults() {
      const faults: string[] = [];
      await auditLedger(
        { onFault: (fault) => fault.userId === userId && faults.push(fault.detail) },
        db,
      );
      return faults;
    },
  };
}

type Subscriber = Awaited<ReturnType<typeof createSubscriber>>;

const cancelThere = (app: PaymentServerUnderTest, { atProvider }: Subscriber) =>
  app.hold(() => app.control(app.provider, "POST", `/subscriptions/${atProvider}/cancel`, {}));

const refundThere = (app: PaymentServerUnderTest, { atProvider }: Subscriber) =>
  app.hold(() => refund(app, atProvider));

/** The ways in which the end becomes known: each returns the events that are still to be delivered. */
const ENDINGS: Record<
  string,
  (app: PaymentServerUnderTest, subscriber: Subscriber) => Promise<ReceivedWebhook[]>
> = {
  "asked for here": (app, { end }) => app.hold(end),
  "asked for here twice at once": (app, { end }) => app.hold(() => Promise.all([end(), end()])),
  "to end with its period before, and ended here": async (app, { end, endAtPeriodEnd }) => {
    // Creem's answers can show what was before.
    if (app.provider === "creem") await app.control("creem", "PUT", "/behavior", EARLY);
    const told = await app.hold(endAtPeriodEnd);
    await deliverAll(app, told);
    const more = await app.hold(end);
    if (app.provider === "creem") await app.control("creem", "PUT", "/behavior", {});
    return [...told, ...more];
  },
  "ended there before, and told of": async (app, subscriber) => {
    const told = await cancelThere(app, subscriber);
    await deliverAll(app, told);
    await subscriber.end();
    return told;
  },
  "ended there before, and not told of": async (app, subscriber) => {
    const told = await cancelThere(app, subscriber);
    await subscriber.end();
    return told;
  },
};

const EARLY = { answersEarly: true };

const REFUNDED = byRun({ few: ["after"], many: ["never", "before", "after"] });

const CASES = BOTH.flatMap((name) =>
  Object.keys(ENDINGS).flatMap((ending) =>
    REFUNDED.map((refunded) => ({ name, ending, refunded })),
  ),
);

test.each(CASES)(
  "$name, $ending, refunded $refunded: what is left of the month is taken once, and nothing else",
  async ({ name, ending, refunded }) => {
    const app = APPS[name];
    const subscriber = await createSubscriber(app);
    expect(await subscriber.balance()).toBe(GRANTED - SPENT + OTHER_CREDITS);
    if (refunded === "before") await deliverAll(app, await refundThere(app, subscriber));
    const told = (await ENDINGS[ending]?.(app, subscriber)) ?? [];
    expect(await subscriber.balance()).toBe(OTHER_CREDITS);
    // Late, and again.
    await deliverAll(app, [...told, ...told]);
    if (refunded === "after") {
      const returned = await refundThere(app, subscriber);
      await deliverAll(app, [...returned, ...returned]);
    }
    await subscriber.end();
    expect(await subscriber.balance()).toBe(OTHER_CREDITS);
    // Spent credits stay spent, and are owed: a run that fails yet gives some back.
    expect(await subscriber.row()).toEqual({ status: "canceled", given: SPENT, owed: SPENT });
    expect(await subscriber.faults()).toEqual([]);
    expect(await reconcile(app, { userId: subscriber.userId })).toEqual([]);
    // A refund before it left nothing to take, and an end that was told of nothing to end.
    const isNothing = refunded === "before" && ending === "ended there before, and told of";
    expect(await subscriber.audit()).toHaveLength(isNothing ? 0 : 1);
  },
);

test.each(BOTH)("%s: what doesn't answer ends nothing and takes nothing", async (name) => {
  const app = APPS[name];
  const subscriber = await createSubscriber(app);
  await expect(subscriber.endUnheard()).rejects.toThrow();
  expect(await subscriber.balance()).toBe(GRANTED - SPENT + OTHER_CREDITS);
  expect(await subscriber.row()).toMatchObject({ given: GRANTED });
  expect(await subscriber.audit()).toEqual([]);
  expect(await subscriber.end()).toMatchObject({ status: "ended", credits: GRANTED - SPENT });
});

test.each(BOTH)("%s: runs that go on when it ends bring nothing back", async (name) => {
  const app = APPS[name];
  const subscriber = await createSubscriber(app);
  await subscriber.begin(5, 6, 7);
  await subscriber.end();
  // One was cheaper than reserved, one failed; money goes back in between, and the end is asked for again.
  await subscriber.fail(3);
  expect(await subscriber.row()).toMatchObject({ given: SPENT + 15, owed: SPENT + 15 });
  await deliverAll(app, await refundThere(app, subscriber));
  await subscriber.end();
  await subscriber.fail();
  expect(await subscriber.balance()).toBe(OTHER_CREDITS);
  expect(await subscriber.row()).toMatchObject({ given: SPENT + 9, owed: SPENT + 9 });
  expect(await subscriber.faults()).toEqual([]);
  const rows = await databaseOf(app).creditTransaction.findMany({
    where: { userId: subscriber.userId, type: "reversal" },
  });
  expect(rows.map(causeKindOf)).toEqual(Array(3).fill("plan_ended"));
});

test("a run that fails in the moment in which it ends brings nothing back", async () => {
  const app = APPS.stripe;
  for (const _round of [1, 2, 3, 4, 5]) {
    const subscriber = await createSubscriber(app);
    await subscriber.begin(5, 6);
    await Promise.all([subscriber.fail(), subscriber.end(), subscriber.fail()]);
    expect(await subscriber.balance()).toBe(OTHER_CREDITS);
    expect(await subscriber.faults()).toEqual([]);
  }
});

test.each(BOTH)(
  "%s: one that the provider doesn't have ends here, and that is said",
  async (name) => {
    const app = APPS[name];
    const subscriber = await createSubscriber(app);
    await databaseOf(app).subscription.update({
      where: { id: subscriber.subscriptionId },
      data: { providerSubscriptionId: `sub_${randomUUID()}` },
    });
    expect(await subscriber.end()).toEqual({
      ...{ status: "ended", wasRunning: true, isUnknownThere: true },
      credits: GRANTED - SPENT,
    });
    const [row] = await subscriber.audit();
    expect(row?.after).toMatchObject({ unknownAtProvider: true });
  },
);

test.each(BOTH)("%s: an end that is asked for in vain leaves a later one alone", async (name) => {
  const app = APPS[name];
  const subscriber = await createSubscriber(app);
  await expect(subscriber.endUnheard()).rejects.toThrow();
  expect(await subscriber.audit("subscription_end_asked")).toHaveLength(1);
  await databaseOf(app).$executeRaw`
    UPDATE subscriptions SET end_asked_at = end_asked_at - interval '11 minutes'
    WHERE id = ${subscriber.subscriptionId}::uuid`;
  await deliverAll(app, await cancelThere(app, subscriber));
  expect(await subscriber.balance()).toBe(GRANTED - SPENT + OTHER_CREDITS);
  expect(await subscriber.row()).toEqual({ status: "canceled", given: GRANTED, owed: 0 });
});
