import { expect, test } from "vitest";
import { readConfiguration } from "../../../scripts/preflight/configuration";
import { checkDatabase } from "../../../scripts/preflight/database-checks";
import { MIDDLE_PACK, PLAN } from "../../fixtures/sold";
import { type Person, signUp } from "../../helpers/client";
import { press, refund } from "../../helpers/payments";
import { deliverAll, reconcile, subscriptionOf } from "../../helpers/reconciliation";
import { type PaymentServerUnderTest, withPaymentServer } from "../../helpers/with-payment-server";

const APPS = { stripe: withPaymentServer("stripe"), creem: withPaymentServer("creem") };
const BOTH = ["stripe", "creem"] as const;
const PASSWORD = { currentPassword: "correct horse battery" };

/** Creates a user who has cancelled a plan. */
async function leaver(app: PaymentServerUnderTest) {
  const { person, webhooks } = await app.buy("plan");
  await deliverAll(app, webhooks);
  const providerId = subscriptionOf({ person, webhooks, sessionId: "" });
  await person.json("POST", "/api/payments/subscription/cancel", {});
  return {
    person,
    providerId,
    control: (how: string, body?: object) =>
      app.hold(() =>
        app.control(app.provider, "POST", `/subscriptions/${providerId}/${how}`, body),
      ),
    remove: () => person.post("/en/account/delete", PASSWORD),
    /** Resumes it at the provider, later than in the second of our own cancellation. */
    async resumeThere() {
      await app.sql(
        `UPDATE subscriptions SET own_write_at = own_write_at - interval '2 seconds'
         WHERE provider_subscription_id = $1`,
        [providerId],
      );
      return app.hold(() => app.control(app.provider, "POST", `/subscriptions/${providerId}/keep`));
    },
    async statusThere() {
      const { body } = await app.control(app.provider, "GET", "/state");
      const state = body as { subscriptions: Record<string, { status: string }> };
      return state.subscriptions[providerId]?.status;
    },
    async row() {
      const [row] = await app.sql<{ id: string; status: string; ends: boolean; email: string }>(
        `SELECT s.id, s.status, s.cancel_at_period_end AS ends, u.email
         FROM subscriptions s JOIN users u ON u.id = s.user_id WHERE provider_subscription_id = $1`,
        [providerId],
      );
      if (!row) throw new Error(`${providerId} is not here`);
      return row;
    },
  };
}

async function runMaintenance(app: PaymentServerUnderTest) {
  const response = await fetch(`${app.url}/api/cron/maintenance`, {
    headers: { Authorization: "Bearer cron-secret-for-tests-only" },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Returns the check of deleted accounts, as `npm run preflight` makes it. */
async function preflight(app: PaymentServerUnderTest) {
  const configuration = readConfiguration({ ...app.env, DATABASE_URL: app.databaseUrl });
  const checks = await checkDatabase(configuration, {
    migrationsFolder: "prisma/migrations",
    isSkipped: (id) => id !== "payments.deleted-accounts",
  });
  return checks.find(({ id }) => id === "payments.deleted-accounts");
}

test.each(BOTH)("%s: an account with a plan that ends can be deleted", async (name) => {
  const { remove, row } = await leaver(APPS[name]);
  expect((await remove()).status).toBe(303);
  expect(await row()).toMatchObject({
    ends: true,
    email: expect.stringContaining("deleted.invalid"),
  });
});

test.each(BOTH)(
  "%s: a plan that was resumed there and not here keeps the account, and the page leads to its end",
  async (name) => {
    const { control, remove, row } = await leaver(APPS[name]);
    await control("keep");
    expect((await row()).ends).toBe(true);
    const reply = await remove();
    expect(reply.status).toBe(409);
    const { id, ends, email } = await row();
    expect([ends, email.includes("deleted.invalid")]).toEqual([false, false]);
    expect(await reply.text()).toContain(`/en/account/billing/cancel?subscription=${id}`);
  },
);

test.each(BOTH)("%s: a wrong password asks nobody, and deletes nothing", async (name) => {
  const app = APPS[name];
  const { person, row } = await leaver(app);
  const count = async () => {
    const { body } = await app.control(name, "GET", "/requests");
    return (body as unknown[]).length;
  };
  const before = await count();
  const reply = await person.post("/en/account/delete", { currentPassword: "wrong password" });
  expect([reply.status, await count()]).toEqual([400, before]);
  expect((await row()).email).not.toContain("deleted.invalid");
});

test.each(BOTH)("%s: while it can't be asked, nothing is deleted", async (name) => {
  const app = APPS[name];
  const { person, row } = await leaver(app);
  const other = await app.startAnother({
    PROVIDER_A_API_BASE: "http://127.0.0.1:1",
    PROVIDER_B_API_BASE: "http://127.0.0.1:1",
  });
  try {
    const reply = await person.post(`${other.url}/en/account/delete`, PASSWORD);
    expect(reply.status).toBe(502);
    expect(await reply.text()).toContain("nothing was deleted.");
  } finally {
    await other.stop();
  }
  expect((await row()).email).not.toContain("deleted.invalid");
});

test("an open payment of a cancelled plan is not collected after the deletion", async () => {
  const app = APPS.stripe;
  const { person, webhooks } = await app.buy("plan");
  await deliverAll(app, webhooks);
  const id = subscriptionOf({ person, webhooks, sessionId: "" });
  const failed = await app.hold(() =>
    app.control("stripe", "POST", `/subscriptions/${id}/renew`, { outcome: "fail" }),
  );
  await deliverAll(app, failed);
  await person.json("POST", "/api/payments/subscription/cancel", {});
  expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
  expect((await app.control("stripe", "POST", `/subscriptions/${id}/collect`)).status).toBe(404);
});

test.each(BOTH)(
  "%s: a plan resumed after the deletion is named, ended by maintenance, and then charges nobody",
  async (name) => {
    const app = APPS[name];
    const { control, remove, resumeThere, row, statusThere, providerId } = await leaver(app);
    expect((await remove()).status).toBe(303);
    expect(await preflight(app)).toMatchObject({ status: "pass" });
    await deliverAll(app, await resumeThere());
    expect(await row()).toMatchObject({ status: "active", ends: false });

    expect(await preflight(app)).toMatchObject({
      status: "warn",
      message: expect.stringContaining(
        `1 subscription of deleted accounts may still be charged: ${name} ${providerId}`,
      ),
    });
    const named = (await reconcile(app)).filter(({ object }) => object.endsWith(providerId));
    expect(named).toMatchObject([
      { says: "active there and renewing; its account is deleted here", applied: false },
    ]);

    const { status, body } = await runMaintenance(app);
    expect([status, body.subscriptionsEnded]).toEqual([200, 1]);
    expect(await statusThere()).toBe("canceled");
    expect(await row()).toMatchObject({ status: "canceled" });
    expect(JSON.stringify(await app.server.allLogs())).toContain(
      "a deleted account's subscription was running",
    );
    expect((await runMaintenance(app)).body.subscriptionsEnded).toBe(0);
    expect(await preflight(app)).toMatchObject({ status: "pass" });
    expect((await control("renew", {})).length).toBe(0);
  },
);

test("two maintenance runs at once end a deleted account's plan once, and neither fails", async () => {
  const app = APPS.stripe;
  const { remove, resumeThere, statusThere } = await leaver(app);
  await remove();
  await deliverAll(app, await resumeThere());
  const runs = await Promise.all([runMaintenance(app), runMaintenance(app)]);
  expect(runs.map(({ status }) => status)).toEqual([200, 200]);
  expect(await statusThere()).toBe("canceled");
});

test("a user whose address only looks deleted keeps the plan", async () => {
  const app = APPS.stripe;
  const { person, webhooks } = await app.buy("plan");
  await deliverAll(app, webhooks);
  await app.sql("UPDATE users SET email = 'deleted-me@deleted.invalid' WHERE email = $1", [
    person.email,
  ]);
  expect((await runMaintenance(app)).body.subscriptionsEnded).toBe(0);
  expect(await preflight(app)).toMatchObject({ status: "pass" });
});

/** Starts a checkout and returns where it is paid. */
async function startCheckout(person: Person, item: "pack" | "plan") {
  const { status, body } =
    item === "pack"
      ? await person.json("POST", "/api/payments/checkout", { skuKey: MIDDLE_PACK.skuKey })
      : await person.json("POST", "/api/payments/subscription/checkout", {
          planKey: PLAN.planKey,
          period: "month",
        });
  expect(status).toBe(200);
  return { sessionId: String(body.sessionId), url: String(body.url) };
}

test("open checkouts end with their account, at a provider that can", async () => {
  const app = APPS.stripe;
  const person = await signUp(app.url);
  const checkouts = [await startCheckout(person, "pack"), await startCheckout(person, "plan")];
  expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
  const { body } = await app.control("stripe", "GET", "/state");
  const { sessions } = body as { sessions: Record<string, { status: string }> };
  for (const { sessionId } of checkouts) expect(sessions[sessionId]?.status).toBe("expired");
});

test("a checkout that can't be ended keeps nobody from deleting the account, and is logged", async () => {
  const app = APPS.stripe;
  const person = await signUp(app.url);
  const { sessionId } = await startCheckout(person, "pack");
  const other = await app.startAnother({ PROVIDER_A_API_BASE: "http://127.0.0.1:1" });
  try {
    expect((await person.post(`${other.url}/en/account/delete`, PASSWORD)).status).toBe(303);
    const [line] = (await other.allLogs()).filter(({ checkoutId }) => checkoutId === sessionId);
    expect(line?.msg).toBe("a deleted account's checkout could not be ended");
  } finally {
    await other.stop();
  }
});

test.each(BOTH)(
  "%s: what is paid for a deleted account gives nothing, and is named until it went back",
  async (name) => {
    const app = APPS[name];
    const person = await signUp(app.url);
    const [owner] = await app.sql<{ id: string }>("SELECT id FROM users WHERE email = $1", [
      person.email,
    ]);
    const pay = async (item: "pack" | "plan") => {
      const { url, sessionId } = await startCheckout(person, item);
      const webhooks = await app.hold(() => press(url, { intent: "pay" }));
      return { person, sessionId, webhooks };
    };
    const [pack, plan] = [await pay("pack"), await pay("plan")];
    const paid = [...pack.webhooks, ...plan.webhooks];
    expect((await person.post("/en/account/delete", PASSWORD)).status).toBe(303);
    await deliverAll(app, paid);
    await deliverAll(app, paid);
    await runMaintenance(app);

    const sum = "SELECT coalesce(sum(amount), 0)::int AS total FROM credit_transactions";
    expect(await app.sql(`${sum} WHERE user_id = $1`, [owner?.id])).toEqual([{ total: 0 }]);
    const orphans = (await reconcile(app)).filter(({ userId }) => userId === owner?.id);
    expect(orphans).toMatchObject([
      { says: expect.stringContaining("for an account that is deleted here, no credits") },
      { says: expect.stringContaining("for an account that is deleted here, no credits") },
    ]);
    const found = await preflight(app);
    const logs = JSON.stringify(await app.server.allLogs());
    for (const { object, advice } of orphans) {
      const paymentId = object.replace("payment ", "");
      expect(advice).toBe("refund it there");
      expect(found?.message).toContain(`${name} ${paymentId}`);
      expect(logs).toContain(paymentId);
    }
    expect(found?.message).toContain("2 payments came after the account was deleted");

    for (const payment of [pack.sessionId, subscriptionOf(plan)])
      await deliverAll(app, await app.hold(() => refund(app, payment)));
    expect(await preflight(app)).toMatchObject({ status: "pass" });
    expect((await reconcile(app)).filter(({ userId }) => userId === owner?.id)).toEqual([]);
  },
);
