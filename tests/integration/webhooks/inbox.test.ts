import { expect, onTestFinished, test } from "vitest";
import { MIDDLE_PACK, PLAN } from "../../fixtures/sold";
import { expectSoundLedger, ledgerOf } from "../../helpers/ledger";
import {
  altered,
  bodyOf,
  signWebhook,
  underAnotherId,
  withoutId,
} from "../../helpers/signed-webhook";
import { runMaintenance } from "../../helpers/with-image-server";
import {
  ofType,
  type PaymentServerUnderTest,
  type Purchase,
  withPaymentServer,
} from "../../helpers/with-payment-server";

const stripe = withPaymentServer("stripe");
const creem = withPaymentServer("creem");
const APPS = { stripe, creem };
const CHECKOUT = { stripe: "checkout.session.completed", creem: "checkout.completed" } as const;
const BOTH = ["stripe", "creem"] as const;

const inboxOf = (app: PaymentServerUnderTest, keyEnd: string) =>
  app.sql<{ status: string; attempts: number; lease: boolean; error: string | null }>(
    `SELECT status, attempts, lease_until IS NOT NULL AS lease, last_error AS error
     FROM webhook_inbox WHERE dedupe_key LIKE '%' || $1`,
    [keyEnd],
  );

const done = (deduped: boolean) => ({ status: 200, body: { deduped } });

async function boughtPack(app: PaymentServerUnderTest) {
  const bought = await app.buy("pack");
  const checkout = ofType(bought.webhooks, CHECKOUT[app.provider]);
  const expectOneGrant = async () => {
    expect(await ledgerOf(app, bought.person.email)).toEqual([["grant", MIDDLE_PACK.credits]]);
    await expectSoundLedger(app);
  };
  return { ...bought, checkout, expectOneGrant };
}

/** Ends every lease and every pause between attempts, as time would. */
const letTimePass = (app: PaymentServerUnderTest) =>
  app.sql(
    `UPDATE webhook_inbox SET lease_until = lease_until - interval '1 day',
       next_attempt_at = next_attempt_at - interval '1 day'`,
  );

test.each(BOTH)(
  "%s: one delivery 30 times at once to two processes has one effect",
  async (name) => {
    const app = APPS[name];
    const { checkout, expectOneGrant } = await boughtPack(app);
    const other = await app.startAnother();
    onTestFinished(() => other.stop());
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => app.deliver(checkout, at % 2 ? app.url : other.url)),
    );
    expect(responses.filter((response) => response.status !== 200)).toEqual([]);
    expect(responses.filter(({ body }) => "deduped" in body && !body.deduped)).toHaveLength(1);
    await expectOneGrant();
  },
);

test.each(BOTH)(
  "%s: the same checkout under another event id has no second effect",
  async (name) => {
    const app = APPS[name];
    const { checkout, expectOneGrant } = await boughtPack(app);
    await app.deliver(checkout);
    expect(await app.deliver(underAnotherId(app, checkout))).toEqual(done(false));
    await expectOneGrant();
  },
);

test.each(BOTH)("%s: many event ids of one checkout at once have one effect", async (name) => {
  const app = APPS[name];
  const { checkout, expectOneGrant } = await boughtPack(app);
  const copies = Array.from({ length: 10 }, (_, at) =>
    altered(app, checkout, (body) => ({ ...body, id: `${body.id}_${at}` })),
  );
  const responses = await Promise.all(copies.map((copy) => app.deliver(copy)));
  expect(responses).toEqual(copies.map(() => done(false)));
  await expectOneGrant();
});

test.each(BOTH)(
  "%s: without an event id the payload's hash identifies a delivery",
  async (name) => {
    const app = APPS[name];
    const { checkout, expectOneGrant } = await boughtPack(app);
    const nameless = withoutId(app, checkout);
    expect(await app.deliver(nameless)).toEqual(done(false));
    expect(await app.deliver(nameless)).toEqual(done(true));
    // Different bytes for the same payment are another delivery, but grant nothing more.
    const respelled = altered(app, nameless, (body) => ({ ...body, note: "seen from elsewhere" }));
    expect(await app.deliver(respelled)).toEqual(done(false));
    expect(await app.deliver(checkout)).toEqual(done(false));
    await expectOneGrant();
  },
);

test.each(BOTH)(
  "%s: a forged delivery with a real id leaves no row, and the real one counts",
  async (name) => {
    const app = APPS[name];
    const { checkout, expectOneGrant } = await boughtPack(app);
    const { id = "" } = bodyOf(checkout);
    const forged = signWebhook(app, bodyOf(checkout), "whsec_somebody_elses");
    expect(await app.deliver(forged)).toMatchObject({
      status: 400,
      body: { code: "invalid_signature" },
    });
    expect(await inboxOf(app, id)).toEqual([]);
    expect(await app.deliver(checkout)).toEqual(done(false));
    await expectOneGrant();
  },
);

test.each(BOTH)(
  "%s: a failure is a 500 and leaves nothing half done, and a later attempt succeeds",
  async (name) => {
    const app = APPS[name];
    const { checkout, person, expectOneGrant } = await boughtPack(app);
    const { id = "" } = bodyOf(checkout);
    await app.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the ledger is out of order'; END $$`,
    );
    await app.sql(
      "CREATE TRIGGER fail BEFORE INSERT ON credit_transactions FOR EACH ROW EXECUTE FUNCTION fail()",
    );
    const failed = await app.deliver(checkout).finally(async () => {
      await app.sql("DROP TRIGGER fail ON credit_transactions");
      await app.sql("DROP FUNCTION fail");
    });
    expect(failed).toMatchObject({ status: 500, body: { code: "webhook_failed" } });
    expect(JSON.stringify(failed.body)).not.toContain("out of order");
    expect(await ledgerOf(app, person.email)).toEqual([]);
    expect(
      await app.sql("SELECT 1 FROM orders JOIN users ON users.id = user_id WHERE email = $1", [
        person.email,
      ]),
    ).toEqual([]);
    expect(await inboxOf(app, id)).toEqual([
      {
        status: "failed",
        attempts: 1,
        lease: false,
        error: expect.stringContaining("out of order"),
      },
    ]);
    expect(await app.deliver(checkout)).toEqual(done(false));
    expect(await app.deliver(checkout)).toEqual(done(true));
    await expectOneGrant();
  },
);

test("a failed delivery is taken up by maintenance when its pause is over", async () => {
  const { checkout, expectOneGrant, person } = await boughtPack(stripe);
  await stripe.sql("ALTER TABLE orders RENAME TO orders_away");
  const failed = await stripe
    .deliver(checkout)
    .finally(() => stripe.sql("ALTER TABLE orders_away RENAME TO orders"));
  expect(failed.status).toBe(500);
  expect(await runMaintenance(stripe.url)).toMatchObject({ deliveriesProcessed: 0 });
  expect(await ledgerOf(stripe, person.email)).toEqual([]);
  await letTimePass(stripe);
  expect(await runMaintenance(stripe.url)).toMatchObject({ deliveriesProcessed: 1 });
  expect(await stripe.deliver(checkout)).toEqual(done(true));
  await expectOneGrant();
});

test("a delivery that never succeeds is dead after ten attempts, and a new copy revives it", async () => {
  const { checkout } = await boughtPack(stripe);
  const unknown = altered(stripe, checkout, (body) => {
    const data = body.data as { object: { metadata: object } };
    const metadata = { ...data.object.metadata, sku_key: "credits_discontinued" };
    return { ...body, data: { object: { ...data.object, metadata } } };
  });
  const { id = "" } = bodyOf(unknown);
  expect((await stripe.deliver(unknown)).status).toBe(500);
  for (let attempt = 2; attempt <= 12; attempt += 1) {
    await letTimePass(stripe);
    await runMaintenance(stripe.url);
  }
  expect(await inboxOf(stripe, id)).toEqual([
    { status: "dead", attempts: 10, lease: false, error: expect.stringContaining("discontinued") },
  ]);
  expect(await stripe.deliver(checkout)).toEqual(done(false));
});

test("a delivery whose process died is taken up once its lease is over, and has one effect", async () => {
  const { checkout, expectOneGrant, person } = await boughtPack(stripe);
  // The crash itself is in tests/faults; this is the state it leaves.
  await stripe.sql(
    `INSERT INTO webhook_inbox (provider, dedupe_key, event_type, payload, lease_token, lease_until)
     VALUES ('stripe', $1, 'checkout.session.completed', $2, gen_random_uuid(), now() + interval '2 minutes')`,
    [`id:${bodyOf(checkout).id}`, checkout.rawBody],
  );
  expect(await stripe.deliver(checkout)).toEqual(done(true));
  expect(await runMaintenance(stripe.url)).toMatchObject({ deliveriesProcessed: 0 });
  expect(await ledgerOf(stripe, person.email)).toEqual([]);
  await letTimePass(stripe);
  expect(await runMaintenance(stripe.url)).toMatchObject({ deliveriesProcessed: 1 });
  await expectOneGrant();
});

test("a stored delivery is read by its own provider's adapter, whichever is active", async () => {
  const { checkout, expectOneGrant } = await boughtPack(creem);
  await creem.sql("ALTER TABLE orders RENAME TO orders_away");
  await creem
    .deliver(checkout)
    .finally(() => creem.sql("ALTER TABLE orders_away RENAME TO orders"));
  const switched = await creem.startAnother({ PAYMENTS_PROVIDER: "stripe" });
  onTestFinished(() => switched.stop());
  await letTimePass(creem);
  expect(await runMaintenance(switched.url)).toMatchObject({ deliveriesProcessed: 1 });
  await expectOneGrant();
});

test.each(BOTH)("%s: deleted, then an older update: it stays canceled", async (name) => {
  const app = APPS[name];
  const bought = await app.buy("plan");
  const created = await settle(app, bought);
  const [{ id = "" } = {}] = await app.sql<{ id: string }>(
    `SELECT provider_subscription_id AS id FROM subscriptions JOIN users ON users.id = user_id
     WHERE email = $1`,
    [bought.person.email],
  );
  const ending = await app.hold(() => app.control(name, "POST", `/subscriptions/${id}/cancel`));
  for (const webhook of ending) await app.deliver(webhook);
  for (const at of [0, 3600]) {
    const late = altered(app, created, (body) => ({
      ...body,
      id: `${body.id}_late_${at}`,
      ...(body.created ? { created: body.created + at } : {}),
      ...(body.created_at ? { created_at: body.created_at + at * 1000 } : {}),
    }));
    expect(await app.deliver(late)).toEqual(done(false));
  }
  const rows = await app.sql(
    `SELECT status, ended_at IS NOT NULL AS ended FROM subscriptions
     WHERE provider_subscription_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ status: "canceled", ended: true }]);
  expect(await ledgerOf(app, bought.person.email)).toEqual([["grant", PLAN.creditsPerMonth]]);
});

/** Delivers all of a purchase; returns the delivery that showed the subscription active. */
async function settle(app: PaymentServerUnderTest, { webhooks }: Purchase) {
  for (const webhook of webhooks) expect((await app.deliver(webhook)).status).toBe(200);
  const active = { stripe: "customer.subscription.created", creem: "subscription.active" };
  return ofType(webhooks, active[app.provider]);
}
