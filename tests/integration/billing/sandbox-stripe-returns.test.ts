import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { MIDDLE_PACK, OTHER_CURRENCY, PACK } from "../../fixtures/sold";
import {
  buy,
  chargeIn,
  closeDispute,
  createRequest,
  openDispute,
  press,
  refund,
  settleRefund,
  startPayments,
} from "../../helpers/payments";
import type { ReceivedWebhook } from "../../helpers/webhook-receiver";

type Payments = Awaited<ReturnType<typeof startPayments>>;

interface StripeEvent {
  type: string;
  data: { object: Record<string, unknown> };
}

const read = ({ rawBody }: ReceivedWebhook): StripeEvent =>
  JSON.parse(new TextDecoder().decode(rawBody)) as StripeEvent;

/** Buys a pack and returns ways to order, to look and to ask. */
async function withPack() {
  const payments = await startPayments();
  const { checkout } = await buy(payments, "stripe", "pack");
  const at = { provider: "stripe" as const, control: payments.control };
  let seen = payments.receiver.received.length;
  /** The events since the last look. */
  const told = async () => {
    await payments.control("stripe", "POST", "/deliveries/settle");
    const events = payments.receiver.received.slice(seen).map(read);
    seen = payments.receiver.received.length;
    return events;
  };
  return { payments, at, told, pack: checkout.sessionId };
}

const typesOf = (events: StripeEvent[]) => events.map(({ type }) => type);

async function ask(payments: Payments, path: string, method = "GET") {
  const { apiBase, secretKey } = payments.env.payments.stripe;
  const response = await fetch(`${apiBase}/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${secretKey}`,
      ...(method === "POST" ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
    },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Listed {
  data: Record<string, unknown>[];
  has_more: boolean;
}

async function list(payments: Payments, path: string): Promise<Listed> {
  const { status, body } = await ask(payments, path);
  expect(status).toBe(200);
  return body as unknown as Listed;
}

test("a payment has several refunds, each with its own life; the charge counts those that stand", async () => {
  const { at, told, pack } = await withPack();
  const first = await refund(at, pack, { amount: 70 });
  const [created, charged, ...none] = await told();
  expect(none).toEqual([]);
  expect(created).toMatchObject({
    type: "refund.created",
    data: { object: { id: first, amount: 70, currency: CURRENCY, status: "succeeded" } },
  });
  expect(charged).toMatchObject({
    type: "charge.refunded",
    data: { object: { amount: MIDDLE_PACK.amount, amount_refunded: 70, refunded: false } },
  });
  expect(charged?.data.object.id).toBe(created?.data.object.charge);
  expect(charged?.data.object.payment_intent).toBe(created?.data.object.payment_intent);

  const second = await refund(at, pack, { amount: 50, status: "pending" });
  expect((await told())[1]?.data.object.amount_refunded).toBe(120);
  await settleRefund(at, second, "failed");
  const failure = await told();
  expect(typesOf(failure)).toEqual(["refund.updated", "charge.refund.updated", "refund.failed"]);
  for (const { data } of failure)
    expect(data.object).toMatchObject({ id: second, status: "failed", amount: 50 });

  // A failed refund can be made again.
  await refund(at, pack);
  expect((await told())[1]?.data.object).toMatchObject({
    amount_refunded: MIDDLE_PACK.amount,
    refunded: true,
  });
  await settleRefund(at, first, "canceled");
  expect(typesOf(await told())).toEqual(["refund.updated", "charge.refund.updated"]);
});

test("a refund that is over stays so, and an unknown status is refused", async () => {
  const { payments, at, told, pack } = await withPack();
  const id = await refund(at, pack, { amount: 30, status: "requires_action" });
  const settle = (status: string, refundId = id) =>
    payments.control("stripe", "POST", `/refunds/${refundId}/status`, { status });
  expect((await settle("gone")).status).toBe(400);
  expect((await settle("succeeded", "re_unknown")).status).toBe(404);
  expect((await settle("succeeded")).status).toBe(200);
  expect((await settle("pending")).status).toBe(404);
  await told();
  expect((await settle("succeeded")).status).toBe(200);
  expect(typesOf(await told())).toEqual(["refund.updated", "charge.refund.updated"]);
  expect((await settle("failed")).status).toBe(200);
  expect((await settle("succeeded")).status).toBe(404);
});

test("a refund that fails at once moves nothing", async () => {
  const { at, told, pack } = await withPack();
  await refund(at, pack, { status: "failed" });
  expect(typesOf(await told())).toEqual(["refund.created", "refund.failed"]);
});

test.each([
  ["won", ["funds_reinstated", "closed"]],
  ["lost", ["closed"]],
] as const)("a dispute that is %s withdraws the money first", async (outcome, ends) => {
  const { payments, at, told, pack } = await withPack();
  const id = await openDispute(at, pack, { amount: 90 });
  const opened = await told();
  expect(typesOf(opened)).toEqual(["charge.dispute.created", "charge.dispute.funds_withdrawn"]);
  for (const { data } of opened)
    expect(data.object).toMatchObject({
      id,
      amount: 90,
      currency: CURRENCY,
      status: "needs_response",
    });
  await closeDispute(at, id, "under_review");
  expect(typesOf(await told())).toEqual(["charge.dispute.updated"]);
  await closeDispute(at, id, outcome);
  const closed = await told();
  expect(typesOf(closed)).toEqual(ends.map((name) => `charge.dispute.${name}`));
  for (const { data } of closed) expect(data.object).toMatchObject({ id, status: outcome });
  const path = `/disputes/${id}/status`;
  expect(
    (await payments.control("stripe", "POST", path, { status: "needs_response" })).status,
  ).toBe(404);
  // Told again, as with late evidence.
  await closeDispute(at, id, outcome);
  expect(typesOf(await told())).toEqual(["charge.dispute.updated"]);
});

test("a lost dispute may be won after all", async () => {
  const { at, told, pack } = await withPack();
  const id = await openDispute(at, pack);
  await closeDispute(at, id, "lost");
  await told();
  await closeDispute(at, id, "won");
  expect(typesOf(await told())).toEqual([
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
  ]);
});

test("an inquiry moves no money until it becomes a dispute", async () => {
  const { at, told, pack } = await withPack();
  const closed = await openDispute(at, pack, { status: "warning_needs_response" });
  expect(typesOf(await told())).toEqual(["charge.dispute.created"]);
  await closeDispute(at, closed, "warning_under_review");
  await closeDispute(at, closed, "warning_closed");
  expect(typesOf(await told())).toEqual(["charge.dispute.updated", "charge.dispute.closed"]);
  const escalated = await openDispute(at, pack, { status: "warning_needs_response", amount: 40 });
  await told();
  await closeDispute(at, escalated, "needs_response");
  expect(typesOf(await told())).toEqual([
    "charge.dispute.updated",
    "charge.dispute.funds_withdrawn",
  ]);
  await openDispute(at, pack, { status: "prevented" });
  expect(typesOf(await told())).toEqual(["charge.dispute.created", "charge.dispute.closed"]);
});

test("refunds and disputes are in the charge's currency, whatever the session's is", async () => {
  const { payments, at, told, pack } = await withPack();
  await chargeIn(at, pack, { amount: 1750, currency: OTHER_CURRENCY });
  await refund(at, pack, { amount: 875 });
  await openDispute(at, pack);
  await openDispute(at, pack, { amount: 100, currency: "gbp" });
  expect((await told()).map(({ data }) => [data.object.amount, data.object.currency])).toEqual([
    [875, OTHER_CURRENCY],
    [1750, OTHER_CURRENCY],
    [1750, OTHER_CURRENCY],
    [1750, OTHER_CURRENCY],
    [100, "gbp"],
    [100, "gbp"],
  ]);
  const session = await ask(payments, `/checkout/sessions/${pack}`);
  expect(session.body).toMatchObject({ amount_total: MIDDLE_PACK.amount, currency: CURRENCY });
  const late = { amount: 1, currency: CURRENCY };
  expect((await payments.control("stripe", "PUT", `/payments/${pack}/charge`, late)).status).toBe(
    404,
  );
});

test("the API lists a payment's refunds and disputes, newest first and in pages", async () => {
  const { payments, at, pack } = await withPack();
  const first = await refund(at, pack, { amount: 10 });
  const second = await refund(at, pack, { amount: 20, status: "pending" });
  const dispute = await openDispute(at, pack, { amount: 30 });
  const { checkout: other } = await buy(payments, "stripe", "pack");
  const foreign = await refund(at, other.sessionId, { amount: 40 });
  const all = await list(payments, "/refunds?limit=100&created[gte]=0&expand[0]=data.charge");
  expect(all.data.map(({ id }) => id)).toEqual([foreign, second, first]);
  expect(all.data[1]).toMatchObject({ status: "pending", charge: { amount_refunded: 30 } });
  const intent = String(all.data[1]?.payment_intent);

  const page = await list(payments, `/refunds?limit=1&payment_intent=${intent}`);
  expect(page).toMatchObject({
    data: [{ id: second, amount: 20, currency: CURRENCY }],
    has_more: true,
  });
  expect(page.data[0]?.charge).toMatch(/^ch_/);
  const next = `/refunds?limit=1&payment_intent=${intent}&starting_after=${second}`;
  expect(await list(payments, next)).toMatchObject({ data: [{ id: first }], has_more: false });
  expect(await list(payments, `/disputes?limit=10&payment_intent=${intent}`)).toMatchObject({
    data: [{ id: dispute, status: "needs_response", payment_intent: intent }],
  });
  const soon = Math.floor(Date.now() / 1000) + 60;
  expect((await list(payments, `/disputes?limit=10&created[gte]=${soon}`)).data).toEqual([]);
  expect((await ask(payments, "/refunds?limit=10&payment_intent=pi_unknown")).status).toBe(404);
  expect((await ask(payments, "/refunds?limit=10&customer=cus_1")).status).toBe(400);
});

test("an expired session can't be paid, and a paid one can't expire", async () => {
  const { payments, told, pack } = await withPack();
  const paid = await ask(payments, `/checkout/sessions/${pack}/expire`, "POST");
  expect([paid.status, JSON.stringify(paid.body)]).toEqual([
    400,
    expect.stringContaining("has a status of complete"),
  ]);
  expect((await ask(payments, "/checkout/sessions/cs_test_x/expire", "POST")).status).toBe(404);

  const request = createRequest({ skuKey: PACK.skuKey });
  const open = await payments.stripe.createPackCheckout(request);
  const expired = await ask(payments, `/checkout/sessions/${open.sessionId}/expire`, "POST");
  expect(expired).toMatchObject({ status: 200, body: { status: "expired", url: null } });
  expect(typesOf(await told())).toEqual(["checkout.session.expired"]);
  const tried = await press(open.url, { intent: "pay" });
  expect([tried.status, await tried.text()]).toEqual([
    410,
    expect.stringContaining("This checkout has expired. Nothing was charged."),
  ]);
  expect((await fetch(open.url)).status).toBe(410);
  expect(await told()).toEqual([]);
  const again = await ask(payments, `/checkout/sessions/${open.sessionId}/expire`, "POST");
  expect(again.status).toBe(400);
});
