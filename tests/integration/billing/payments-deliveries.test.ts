import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { CURRENCY } from "~/catalog";
import type { DeliveryRecord } from "../../../scripts/sandbox/payments/delivery-engine";
import { PLAN_MONTHLY } from "../../fixtures/sold";
import { buy, startPayments, verify } from "../../helpers/payments";
import { startWebhookReceiver } from "../../helpers/webhook-receiver";

type Payments = Awaited<ReturnType<typeof startPayments>>;

async function listDeliveries({ control }: Payments, name: "stripe" | "creem") {
  const { body } = await control(name, "GET", "/deliveries");
  return body as DeliveryRecord[];
}

const PATIENTLY = { timeout: 10_000 };

const typesOf = (payments: Payments) => payments.receiver.received.map(({ type }) => type);

const STRIPE_ORDER = [
  "checkout.session.completed",
  "customer.subscription.created",
  "invoice.paid",
  "invoice.payment_succeeded",
  "invoice_payment.paid",
];

test("duplicates go out along with their event, under its id", async () => {
  const payments = await startPayments();
  await payments.control("stripe", "PUT", "/mode", { duplicates: 4 });
  await buy(payments, "stripe", "pack");
  expect(payments.receiver.received).toHaveLength(5);
  expect(new Set(payments.receiver.received.map(({ id }) => id)).size).toBe(1);
  const [record] = await listDeliveries(payments, "stripe");
  expect(record).toMatchObject({ state: "delivered" });
  expect(record?.attempts).toHaveLength(5);
});

test("the order of an action's events can be turned round, or shuffled", async () => {
  const payments = await startPayments();
  await payments.control("stripe", "PUT", "/mode", { order: "reversed" });
  await buy(payments, "stripe", "plan");
  expect(typesOf(payments)).toEqual(STRIPE_ORDER.toReversed());
  await payments.control("stripe", "PUT", "/mode", { order: "shuffled" });
  await buy(payments, "stripe", "plan");
  expect(typesOf(payments).slice(STRIPE_ORDER.length).toSorted()).toEqual(STRIPE_ORDER.toSorted());
});

test("dropped events are not sent, and can be delivered later in any order, any number of times", async () => {
  const payments = await startPayments();
  await payments.control("creem", "PUT", "/mode", { drop: true });
  await buy(payments, "creem", "plan");
  expect(payments.receiver.received).toEqual([]);
  const records = await listDeliveries(payments, "creem");
  expect(records.map(({ state }) => state)).toEqual(["dropped", "dropped", "dropped"]);

  for (const { id } of records.toReversed()) {
    const redelivery = `/deliveries/${id}/redeliver`;
    const { body } = await payments.control("creem", "POST", redelivery, { copies: 2 });
    expect(body).toMatchObject({ attempts: [{ status: 200 }, { status: 200 }] });
  }
  expect(typesOf(payments)).toEqual([
    ...["subscription.paid", "subscription.paid"],
    ...["subscription.active", "subscription.active"],
    ...["checkout.completed", "checkout.completed"],
  ]);
  for (const webhook of payments.receiver.received) verify(payments.creem, webhook);
  const gone = await payments.control("creem", "POST", "/deliveries/evt_gone/redeliver", {});
  expect(gone.status).toBe(404);
});

test("only the named types are dropped", async () => {
  const payments = await startPayments();
  await payments.control("stripe", "PUT", "/mode", { drop: ["customer.subscription.created"] });
  await buy(payments, "stripe", "plan");
  expect(typesOf(payments)).toEqual(STRIPE_ORDER.filter((type) => !type.includes("created")));
});

test("a delay holds back the events but not the buyer", async () => {
  const payments = await startPayments();
  await payments.control("stripe", "PUT", "/mode", { delayMs: 60_000 });
  const { returnUrl } = await buy(payments, "stripe", "pack", { settled: false });
  expect(returnUrl).toContain("/checkout/success");
  expect(payments.receiver.received).toEqual([]);
  expect(await listDeliveries(payments, "stripe")).toMatchObject([{ state: "waiting" }]);
});

test("a delivery that isn't accepted is retried with a new signature until it is", async () => {
  const payments = await startPayments({ retrySpeed: 10_000 });
  payments.receiver.respondWith(500, 302, 200);
  await buy(payments, "stripe", "pack");
  await vi.waitFor(
    async () =>
      expect(await listDeliveries(payments, "stripe")).toMatchObject([{ state: "delivered" }]),
    PATIENTLY,
  );
  const [record] = await listDeliveries(payments, "stripe");
  expect(record?.attempts.map(({ status }) => status)).toEqual([500, 302, 200]);
  for (const webhook of payments.receiver.received) verify(payments.stripe, webhook);
});

test("Creem wants exactly 200, and gives an event up after its last retry", async () => {
  const payments = await startPayments({ retrySpeed: 1_000_000 });
  payments.receiver.respondWith(204, 500, 500, 500, 500);
  await buy(payments, "creem", "pack");
  await vi.waitFor(
    async () =>
      expect(await listDeliveries(payments, "creem")).toMatchObject([{ state: "failed" }]),
    PATIENTLY,
  );
  expect(payments.receiver.received).toHaveLength(5);
});

test("without a listener the attempt records why, and the buyer still returns", async () => {
  const payments = await startPayments({ retrySpeed: 0.001 });
  await payments.receiver.stop();
  const { returnUrl } = await buy(payments, "stripe", "pack");
  expect(returnUrl).toContain("/checkout/success");
  expect(await listDeliveries(payments, "stripe")).toMatchObject([
    { state: "waiting", attempts: [{ status: null, error: "fetch failed" }] },
  ]);
});

test("deliveries go to another endpoint once it is set, and copies to several at once", async () => {
  const payments = await startPayments();
  const other = await startWebhookReceiver();
  onTestFinished(() => other.stop());
  await payments.control("creem", "PUT", "/endpoint", { url: other.url });
  await buy(payments, "creem", "pack");
  expect([payments.receiver.received.length, other.received.length]).toEqual([0, 1]);
  const [record] = await listDeliveries(payments, "creem");
  await payments.control("creem", "POST", `/deliveries/${record?.id}/redeliver`, {
    copies: 10,
    urls: [payments.receiver.url, other.url],
  });
  expect([payments.receiver.received.length, other.received.length]).toEqual([5, 6]);
});

test("an unknown mode is refused", async () => {
  const { control } = await startPayments();
  for (const mode of [{ order: "random" }, { duplicates: -1 }, { nonsense: true }])
    expect((await control("stripe", "PUT", "/mode", mode)).status).toBe(400);
});

test("a setting that only Stripe has is refused when its value is unknown", async () => {
  const { control } = await startPayments();
  expect((await control("stripe", "PUT", "/payloads", { generation: "jurassic" })).status).toBe(
    400,
  );
});

test("with a directory, customers and subscriptions outlive a restart", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "payment-sandbox-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const first = await startPayments({ directory });
  const bought = {
    stripe: await buy(first, "stripe", "plan"),
    creem: await buy(first, "creem", "plan"),
  };
  await first.sandbox.stop();

  const second = await startPayments({ directory });
  for (const name of ["stripe", "creem"] as const) {
    const completed = bought[name].deliveries[0]?.events[0];
    if (completed?.kind !== "checkout_completed") throw new Error("no checkout");
    const cancelled = await second[name].cancelSubscription({
      when: "period_end",
      providerSubscriptionId: completed.subscriptionId ?? "",
    });
    expect(cancelled.status).toBe("scheduled");
  }
});

test("a state that the version before saved still loads, with what was refunded and disputed", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "payment-sandbox-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const shared = { customer: null, amount: 900, currency: CURRENCY };
  const stripe = {
    subscriptions: { sub_1: { id: "sub_1", priceId: `price_sandbox_${PLAN_MONTHLY}` } },
    payments: { pi_1: { ...shared, id: "pi_1", charge: "ch_1", refunded: 300, created: 1 } },
    invoices: {
      in_1: { id: "in_1", subscription: "sub_1", status: "paid", total: 900, payment: "pi_1" },
      in_2: { id: "in_2", subscription: "sub_1", status: "open", total: 900, payment: null },
    },
    refunds: { re_1: { id: "re_1", payment: "pi_1", amount: 300, created: 1 } },
    disputes: { dp_1: { id: "dp_1", payment: "pi_1", amount: 600, created: 1 } },
  };
  const creem = {
    orders: {
      ord_1: { ...shared, id: "ord_1", refunded: 300, isDisputed: true, createdAt: "2026-01-01" },
      ord_2: { ...shared, id: "ord_2", refunded: 0, isDisputed: false, createdAt: "2026-01-01" },
    },
  };
  for (const [name, data] of Object.entries({ stripe, creem }))
    await writeFile(path.join(directory, `${name}.json`), JSON.stringify({ version: 4, data }));
  const { control } = await startPayments({ directory });
  expect((await control("stripe", "GET", "/state")).body).toMatchObject({
    subscriptions: { sub_1: { pendingLines: [] } },
    invoices: { in_1: { payments: [{ id: "pi_1", amount: 900 }] }, in_2: { payments: [] } },
    refunds: { re_1: { amount: 300, currency: CURRENCY, status: "succeeded" } },
    disputes: { dp_1: { amount: 600, currency: CURRENCY, status: "needs_response" } },
    prices: {},
  });
  expect((await control("stripe", "POST", "/payments/pi_1/refund")).body).toMatchObject({
    amount: 600,
  });
  expect((await control("creem", "GET", "/state")).body).toMatchObject({
    orders: { ord_1: { orderId: "ord_1", charge: null } },
    refunds: { ref_1: { order: "ord_1", amount: 300, status: "succeeded" } },
    disputes: { disp_1: { order: "ord_1", amount: 900, status: "created" } },
  });
});
