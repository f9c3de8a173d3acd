import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { MIDDLE_PACK, OTHER_CURRENCY } from "../../fixtures/sold";
import {
  buy,
  chargeIn,
  closeDispute,
  openDispute,
  refund,
  settleRefund,
  startPayments,
} from "../../helpers/payments";

interface CreemEvent {
  eventType: string;
  object: {
    id: string;
    status?: string;
    transaction: { id: string; refunded_amount: number; status: string; order: string };
  } & Record<string, unknown>;
}

/** A purchase at Creem, its transaction as the API shows it, and the events since the last look. */
async function withPurchase(item: "pack" | "plan" = "pack") {
  const payments = await startPayments();
  const { checkout, deliveries } = await buy(payments, "creem", item);
  const at = { provider: "creem" as const, control: payments.control };
  let seen = payments.receiver.received.length;
  const told = async () => {
    await payments.control("creem", "POST", "/deliveries/settle");
    const events = payments.receiver.received
      .slice(seen)
      .map(({ rawBody }) => JSON.parse(new TextDecoder().decode(rawBody)) as CreemEvent);
    seen = payments.receiver.received.length;
    return events;
  };
  const transactions = async () => {
    const { apiBase, apiKey } = payments.env.payments.creem;
    const query = "page_number=1&page_size=100";
    const response = await fetch(`${apiBase}/v1/transactions/search?${query}`, {
      headers: { "x-api-key": apiKey ?? "" },
    });
    const { items } = (await response.json()) as { items: Record<string, unknown>[] };
    return items;
  };
  const stands = async () => {
    const [last] = await transactions();
    return [last?.refunded_amount, last?.status];
  };
  const [completed] = deliveries.flatMap(({ events }) => events);
  if (completed?.kind !== "checkout_completed") throw new Error("no checkout");
  return { payments, at, told, stands, transactions, completed, id: checkout.sessionId };
}

test("a refund that fails lowers the transaction's sum, and nobody is told", async () => {
  const { at, told, stands, id } = await withPurchase();
  const first = await refund(at, id, { amount: 70 });
  const second = await refund(at, id, { amount: 20, status: "pending" });
  const [one, two] = await told();
  expect(one).toMatchObject({
    eventType: "refund.created",
    object: {
      id: first,
      status: "succeeded",
      refund_amount: 70,
      refund_currency: CURRENCY.toUpperCase(),
    },
  });
  expect(two).toMatchObject({ object: { id: second, status: "pending", refund_amount: 20 } });
  // A pending refund isn't in the sum yet.
  expect(two?.object.transaction.refunded_amount).toBe(70);
  await settleRefund(at, second, "succeeded");
  expect(await stands()).toEqual([90, "partially_refunded"]);
  await settleRefund(at, first, "failed");
  expect(await stands()).toEqual([20, "partially_refunded"]);
  await refund(at, id);
  expect(await stands()).toEqual([MIDDLE_PACK.amount, "refunded"]);
  await settleRefund(at, second, "canceled");
  expect(await stands()).toEqual([MIDDLE_PACK.amount - 20, "partially_refunded"]);
  expect((await told()).map(({ eventType }) => eventType)).toEqual(["refund.created"]);
});

test("a won dispute lowers the transaction's sum, and nobody is told", async () => {
  const { payments, at, told, stands, id } = await withPurchase();
  const first = await openDispute(at, id, { amount: 30 });
  const second = await openDispute(at, id, { amount: 20 });
  expect((await told()).map(({ eventType, object }) => [eventType, object.id])).toEqual([
    ["dispute.created", first],
    ["dispute.created", second],
  ]);
  expect(await stands()).toEqual([50, "chargeback"]);
  await closeDispute(at, first, "won");
  expect(await stands()).toEqual([20, "chargeback"]);
  await closeDispute(at, second, "lost");
  expect(await stands()).toEqual([20, "chargeback"]);
  await closeDispute(at, second, "won");
  await closeDispute(at, second, "won");
  expect(await stands()).toEqual([0, "paid"]);
  expect(await told()).toEqual([]);
  for (const [path, status, expected] of [
    [`/disputes/${second}/status`, "lost", 404],
    [`/disputes/${second}/status`, "needs_response", 400],
    ["/disputes/disp_unknown/status", "won", 404],
    ["/refunds/ref_unknown/status", "failed", 404],
  ] as const)
    expect((await payments.control("creem", "POST", path, { status })).status).toBe(expected);
});

test("refunds and disputes are in the charge's currency", async () => {
  const { at, told, stands, id } = await withPurchase();
  await chargeIn(at, id, { amount: 1750, currency: OTHER_CURRENCY });
  await refund(at, id, { amount: 875 });
  await openDispute(at, id, { amount: 100 });
  expect((await told()).map(({ object }) => object)).toMatchObject([
    {
      refund_amount: 875,
      refund_currency: OTHER_CURRENCY.toUpperCase(),
      transaction: { amount: 1750, currency: OTHER_CURRENCY.toUpperCase() },
    },
    {
      amount: 100,
      currency: OTHER_CURRENCY.toUpperCase(),
      order: { amount: MIDDLE_PACK.amount, currency: CURRENCY.toUpperCase() },
    },
  ]);
  expect(await stands()).toEqual([975, "chargeback"]);
});

test("the statuses are spelled as in Creem's SDK where that is asked for", async () => {
  const { payments, at, stands, id } = await withPurchase();
  await payments.control("creem", "PUT", "/behavior", { sdkStatuses: true });
  await refund(at, id, { amount: 70 });
  expect(await stands()).toEqual([70, "partialRefund"]);
  await openDispute(at, id, { amount: 10 });
  expect(await stands()).toEqual([80, "chargedBack"]);
  await payments.control("creem", "PUT", "/behavior", {});
  expect(await stands()).toEqual([80, "chargeback"]);
  const unknown = await payments.control("creem", "PUT", "/behavior", { fast: true });
  expect(unknown.status).toBe(400);
});

test("renewals bear the first checkout's order where that is asked for, and keep their own refunds", async () => {
  const { payments, at, told, transactions, completed } = await withPurchase("plan");
  const renew = () =>
    payments.control("creem", "POST", `/subscriptions/${completed.subscriptionId}/renew`);
  await renew();
  await payments.control("creem", "PUT", "/behavior", { renewalsShareOrder: true });
  await renew();
  const [shared, own, first] = await transactions();
  expect([shared?.order, first?.order]).toEqual([completed.paymentId, completed.paymentId]);
  expect(own?.order).not.toBe(completed.paymentId);
  await told();
  await refund(at, String(shared?.id), { amount: 30 });
  expect(await told()).toMatchObject([
    { object: { transaction: { id: shared?.id }, order: { id: completed.paymentId } } },
  ]);
  expect((await transactions()).map(({ refunded_amount }) => refunded_amount)).toEqual([30, 0, 0]);
});
