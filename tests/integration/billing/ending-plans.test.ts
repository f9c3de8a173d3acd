import { expect, test } from "vitest";
import type { RecordedRequest } from "../../../scripts/sandbox/payments/request-log";
import { PACK, TOP_PLAN } from "../../fixtures/sold";
import { deliverAll, subscriptionOf } from "../../helpers/reconciliation";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;
const CANCEL = "/api/payments/subscription/cancel";
const SUBSCRIBE = "/api/payments/subscription/checkout";
const PRO = { planKey: TOP_PLAN.planKey, period: "month" };

/** Creates a user with a plan, and the means to change it at the provider without telling the app. */
async function subscriber(app: PaymentServerUnderTest) {
  const purchase = await app.buy("plan");
  await deliverAll(app, purchase.webhooks);
  const providerId = subscriptionOf(purchase);
  const change = (how: string) =>
    app.hold(() => app.control(app.provider, "POST", `/subscriptions/${providerId}/${how}`));
  return {
    ...purchase,
    providerId,
    change,
    tell: async (how: string) => deliverAll(app, await change(how)),
    async asked() {
      const { body } = await app.control(app.provider, "GET", "/requests");
      return (body as RecordedRequest[]).length;
    },
    async row() {
      const [row] = await app.sql<{ id: string; status: string; ends: boolean; ended: boolean }>(
        `SELECT id, status, cancel_at_period_end AS ends, ended_at IS NOT NULL AS ended
         FROM subscriptions WHERE provider_subscription_id = $1`,
        [providerId],
      );
      if (!row) throw new Error(`${providerId} is not here`);
      return row;
    },
    async statusThere() {
      const { body } = await app.control(app.provider, "GET", "/state");
      const { subscriptions } = body as {
        subscriptions: Record<string, { status: string; cancelAt?: number | null }>;
      };
      const { status, cancelAt } = subscriptions[providerId] ?? {};
      return cancelAt && status !== "canceled" ? "scheduled_cancel" : status;
    },
  };
}

test.each(BOTH)(
  "%s: cancelling asks the provider even if our row says that it ends",
  async (name) => {
    const { person, change, statusThere } = await subscriber(APPS[name]);
    expect((await person.json("POST", CANCEL, {})).status).toBe(200);
    await change("keep");
    expect(await statusThere()).toBe("active");
    expect(await person.json("POST", CANCEL, {})).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: true, status: "active" },
    });
    expect(await statusThere()).toBe("scheduled_cancel");
  },
);

test.each(BOTH)(
  "%s: cancelling again and again asks the provider each time, and says the same",
  async (name) => {
    const { person, asked, row } = await subscriber(APPS[name]);
    const first = await person.json("POST", CANCEL, {});
    for (let time = 0; time < 3; time++) {
      const before = await asked();
      expect(await person.json("POST", CANCEL, {})).toMatchObject({ body: first.body });
      expect(await asked()).toBeGreaterThan(before);
    }
    const page = `/en/account/billing/cancel?subscription=${(await row()).id}`;
    expect((await person.post(page, {})).headers.get("location")).toContain("done=canceled");
  },
);

test.each(BOTH)(
  "%s: what the provider has ended is ended here by the next cancellation",
  async (name) => {
    const { person, change, row } = await subscriber(APPS[name]);
    await change("cancel");
    expect(await person.json("POST", CANCEL, {})).toMatchObject({
      status: 200,
      body: { cancelAtPeriodEnd: false, status: "canceled" },
    });
    expect(await row()).toMatchObject({ status: "canceled", ended: true });
  },
);

test.each(BOTH)(
  "%s: a plan that the provider doesn't have ends here, and one can subscribe and delete again",
  async (name) => {
    const app = APPS[name];
    const { person, change, row } = await subscriber(app);
    await change("forget");
    expect((await person.json("POST", SUBSCRIBE, PRO)).status).toBe(409);
    const { id } = await row();
    expect(await person.json("POST", CANCEL, { subscriptionId: id })).toMatchObject({
      status: 200,
      body: { subscriptionId: id, status: "canceled", cancelAtPeriodEnd: false },
    });
    expect(await row()).toMatchObject({ status: "canceled", ended: true });
    expect((await person.json("POST", CANCEL, { subscriptionId: id })).status).toBe(404);
    expect((await person.json("POST", SUBSCRIBE, PRO)).status).toBe(200);
    const deleted = await person.post("/en/account/delete", {
      currentPassword: "correct horse battery",
    });
    expect(deleted.status).toBe(303);
  },
);

test.each(BOTH)("%s: a key that is refused ends nothing", async (name) => {
  const app = APPS[name];
  const { person, row } = await subscriber(app);
  const other = await app.startAnother({
    PROVIDER_A_SECRET_KEY: "sk_test_sandbox_other",
    NEXT_PUBLIC_PROVIDER_A_PUBLISHABLE_KEY: "pk_test_sandbox_other",
    PROVIDER_B_API_KEY: "creem_test_sandbox_other",
  });
  try {
    const { status } = await person.json("POST", `${other.url}${CANCEL}`, {});
    expect(status).toBe(502);
    expect(await row()).toMatchObject({ status: "active", ended: false, ends: false });
  } finally {
    await other.stop();
  }
});

test.each(BOTH)("%s: a paused plan ends at once, by its page, without JavaScript", async (name) => {
  const { person, tell, row, statusThere } = await subscriber(APPS[name]);
  await tell("pause");
  const { id, status } = await row();
  expect(status).toBe("paused");
  const path = `/en/account/billing/cancel?subscription=${id}`;
  expect(await (await person.fetch(path)).text()).toContain("It ends as soon as you cancel.");
  const response = await person.post(path, {});
  expect([response.status, response.headers.get("location")]).toEqual([
    303,
    "/en/account/billing?done=ended",
  ]);
  expect(await statusThere()).toBe("canceled");
  expect(await row()).toMatchObject({ status: "canceled", ended: true });
  const page = await (await person.fetch("/en/account/billing?done=ended")).text();
  expect(page).toContain("Your plan has ended. You won’t be charged again.");
});

test("a plan that was paused after its end was scheduled can still be ended by its page", async () => {
  const { person, tell, row, statusThere } = await subscriber(APPS.stripe);
  await person.json("POST", CANCEL, {});
  await tell("pause");
  const { id, ends } = await row();
  expect(ends).toBe(true);
  const path = `/en/account/billing/cancel?subscription=${id}`;
  expect(await (await person.fetch("/en/account/billing")).text()).toContain(path);
  expect((await person.post(path, {})).headers.get("location")).toContain("done=ended");
  expect(await statusThere()).toBe("canceled");
});

test("every plan but an ended one can be cancelled from the billing page", async () => {
  const app = APPS.stripe;
  const { person, row, statusThere, change } = await subscriber(app);
  const { id } = await row();
  const path = `/en/account/billing/cancel?subscription=${id}`;
  const statuses = [
    ...["incomplete", "trialing", "active", "past_due", "unpaid", "paused", "expired", "unknown"],
    "canceled",
  ];
  for (const status of statuses) {
    await app.sql(
      "UPDATE subscriptions SET status = $2::subscription_status, cancel_at_period_end = false WHERE id = $1",
      [id, status],
    );
    await change("keep");
    const canCancel = status !== "canceled";
    const page = await (await person.fetch("/en/account/billing")).text();
    expect([status, page.includes(path)]).toEqual([status, canCancel]);
    const response = await person.post(path, {});
    expect([status, response.status]).toEqual([status, canCancel ? 303 : 404]);
    expect(await statusThere()).toBe(canCancel ? "scheduled_cancel" : "active");
  }
});

test("subscribing ends an expired plan first, so that its payment can't be collected beside the new one", async () => {
  const app = APPS.creem;
  const { person, tell, row, change, statusThere } = await subscriber(app);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  await tell("expire");
  expect(await row()).toMatchObject({ status: "expired" });
  expect((await person.json("POST", SUBSCRIBE, PRO)).status).toBe(200);
  expect(await statusThere()).toBe("canceled");
  expect(await row()).toMatchObject({ status: "canceled" });
  await change("collect");
  expect(await statusThere()).toBe("canceled");
});

test("while an expired plan can't be ended there is no second checkout", async () => {
  const app = APPS.creem;
  const { person, tell, row } = await subscriber(app);
  await app.sql("UPDATE users SET email_verified_at = now() WHERE email = $1", [person.email]);
  await tell("expire");
  const other = await app.startAnother({ PROVIDER_B_API_BASE: "http://127.0.0.1:1" });
  try {
    expect((await person.json("POST", `${other.url}${SUBSCRIBE}`, PRO)).status).toBe(502);
  } finally {
    await other.stop();
  }
  expect(await row()).toMatchObject({ status: "expired" });
});

test.each(BOTH)(
  "%s: a customer that the provider lost doesn't keep anybody from buying",
  async (name) => {
    const app = APPS[name];
    const { person, tell } = await subscriber(app);
    await tell("cancel");
    const [row] = await app.sql<{ customer: string }>(
      `SELECT provider_customer_id AS customer FROM subscriptions JOIN users ON users.id = user_id
     WHERE email = $1`,
      [person.email],
    );
    await app.control(name, "POST", `/customers/${row?.customer}/forget`);
    for (const [path, body] of [
      ["/api/payments/checkout", { skuKey: PACK.skuKey }],
      [SUBSCRIBE, PRO],
    ] as const)
      expect((await person.json("POST", path, body)).status).toBe(200);
  },
);

test("the portal is that of the plan that is running, not of the newest", async () => {
  const app = APPS.stripe;
  const { person, row } = await subscriber(app);
  await app.sql(
    `INSERT INTO subscriptions (user_id, provider, provider_subscription_id, provider_customer_id,
       plan_key, period, status, created_at)
     SELECT user_id, 'creem', 'sub_newer', 'cust_newer', plan_key, period, status::subscription_status,
       now() + interval '1 hour'
     FROM (SELECT user_id, plan_key, period FROM subscriptions WHERE id = $1) AS own,
       (VALUES ('canceled')) AS newer (status)`,
    [(await row()).id],
  );
  const portal = await person.json("POST", "/api/payments/portal");
  expect(portal.status).toBe(200);
  expect(String(portal.body.url)).toContain(app.env.PROVIDER_A_API_BASE);
  const { body } = await app.control("stripe", "GET", "/requests");
  expect((body as RecordedRequest[]).at(-1)).toMatchObject({
    path: "/v1/billing_portal/sessions",
    status: 200,
  });
});
