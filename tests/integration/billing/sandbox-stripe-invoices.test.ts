import { expect, test } from "vitest";
import { OTHER_CURRENCY, PLAN, PLAN_MONTHLY } from "../../fixtures/sold";
import {
  billLines,
  buy,
  chargeIn,
  refund,
  setPrice,
  setSubscriptionPrice,
  splitInvoices,
  startPayments,
} from "../../helpers/payments";

interface Line {
  amount: number;
  currency: string;
  period: { start: number; end: number };
  type?: string;
  proration?: boolean;
  price?: { id: string };
  parent?: { type: string; subscription_item_details?: { proration: boolean } };
  pricing?: { price_details: { price: string } };
}

interface StripeEvent {
  type: string;
  data: { object: Record<string, unknown> & { lines: { data: Line[] } } };
}

const DAY = 24 * 60 * 60;
const PRICE = PLAN.amounts.month;

/** A subscription to the first plan by the month, and what Stripe tells of it. */
async function withPlan() {
  const payments = await startPayments();
  const { deliveries } = await buy(payments, "stripe", "plan");
  const [completed] = deliveries.flatMap(({ events }) => events);
  if (completed?.kind !== "checkout_completed") throw new Error("no checkout");
  const at = { provider: "stripe" as const, control: payments.control };
  let seen = payments.receiver.received.length;
  const told = async (type?: string) => {
    await payments.control("stripe", "POST", "/deliveries/settle");
    const events = payments.receiver.received
      .slice(seen)
      .map(({ rawBody }) => JSON.parse(new TextDecoder().decode(rawBody)) as StripeEvent);
    seen = payments.receiver.received.length;
    return type === undefined ? events : events.filter((event) => event.type === type);
  };
  const id = completed.subscriptionId ?? "";
  return { payments, at, told, id, renew: () => renew(at, id) };
}

const renew = (
  { control }: { control: Awaited<ReturnType<typeof startPayments>>["control"] },
  id: string,
) => control("stripe", "POST", `/subscriptions/${id}/renew`);

const lengthOf = ({ period }: Line) => period.end - period.start;

test("two payment intents pay an invoice, each its part, until that is over", async () => {
  const { payments, at, told, id, renew } = await withPlan();
  await splitInvoices(at, 60);
  await renew();
  const links = await told("invoice_payment.paid");
  expect(links.map(({ data }) => [data.object.amount_paid, data.object.is_default])).toEqual([
    [60, true],
    [PRICE - 60, false],
  ]);
  const intents = links.map(
    ({ data }) => (data.object.payment as { payment_intent: string }).payment_intent,
  );
  expect(new Set(intents).size).toBe(2);

  const { apiBase, secretKey } = payments.env.payments.stripe;
  const query = `subscription=${id}&status=paid&limit=100&expand[0]=data.payments`;
  const response = await fetch(`${apiBase}/v1/invoices?${query}`, {
    headers: { Authorization: `Bearer ${secretKey}` },
  });
  expect(await response.json()).toMatchObject({
    data: [
      {
        amount_paid: PRICE,
        payments: {
          data: [60, PRICE - 60].map((amount_paid, index) => ({
            amount_paid,
            payment: { payment_intent: intents[index] },
          })),
        },
      },
      { payments: { data: [{ amount_paid: PRICE }] } },
    ],
  });

  // The parts are the invoice's; a refund is the charge's.
  await chargeIn(at, intents[1] ?? "", { amount: 276, currency: OTHER_CURRENCY });
  await refund(at, intents[1] ?? "");
  const [charge] = await told("charge.refunded");
  expect(charge?.data.object).toMatchObject({ amount_refunded: 276, currency: OTHER_CURRENCY });

  await splitInvoices(at, null);
  await renew();
  expect(await told("invoice_payment.paid")).toHaveLength(1);
});

test("an invoice has lines that the plan didn't make", async () => {
  const { at, told, id } = await withPlan();
  await billLines(at, id, [
    { kind: "item", amount: 500 },
    { kind: "item", amount: 200, days: 3 },
    { kind: "price", price: "price_metered", amount: 100, days: 365 },
    { kind: "proration", price: "price_seat", amount: 150 },
    { kind: "plan" },
  ]);
  const [paid] = await told("invoice.paid");
  expect(paid?.data.object).toMatchObject({ amount_paid: PRICE + 950, billing_reason: "manual" });
  const lines = paid?.data.object.lines.data ?? [];
  expect(
    lines.map(({ amount, parent, pricing }) => [
      amount,
      parent?.type,
      parent?.subscription_item_details?.proration,
      pricing?.price_details.price,
    ]),
  ).toEqual([
    [500, "invoice_item_details", undefined, "price_sandbox_one_off"],
    [200, "invoice_item_details", undefined, "price_sandbox_one_off"],
    [100, "subscription_item_details", false, "price_metered"],
    [150, "subscription_item_details", true, "price_seat"],
    [PRICE, "subscription_item_details", false, `price_sandbox_${PLAN_MONTHLY}`],
  ]);
  expect(lines.slice(0, 3).map(lengthOf)).toEqual([0, 3 * DAY, 365 * DAY]);
  expect(lines[3]?.period.end).toBe(lines[4]?.period.end);
});

test("more lines come with the next renewal, once, in the older payload too", async () => {
  const { payments, at, told, id, renew } = await withPlan();
  await payments.control("stripe", "PUT", "/payloads", { generation: "acacia" });
  await billLines(
    at,
    id,
    [
      { kind: "item", amount: 500 },
      { kind: "price", price: "price_addon", amount: 5000 },
    ],
    { when: "renewal" },
  );
  expect(await told()).toEqual([]);
  await renew();
  const [paid] = await told("invoice.paid");
  expect(
    paid?.data.object.lines.data.map(({ amount, type, proration, price }) => [
      amount,
      type,
      proration,
      price?.id,
    ]),
  ).toEqual([
    [500, "invoiceitem", false, "price_sandbox_one_off"],
    [5000, "subscription", false, "price_addon"],
    [PRICE, "subscription", false, `price_sandbox_${PLAN_MONTHLY}`],
  ]);
  await renew();
  expect((await told("invoice.paid"))[0]?.data.object.lines.data).toHaveLength(1);
});

test("odd lines of an unknown kind, and for an unknown subscription, are refused", async () => {
  const { payments, id } = await withPlan();
  const bill = (subscription: string, lines: object[]) =>
    payments.control("stripe", "POST", `/subscriptions/${subscription}/invoice`, { lines });
  expect((await bill(id, [])).status).toBe(400);
  expect((await bill(id, [{ kind: "gift" }])).status).toBe(400);
  expect((await bill("sub_unknown", [{ kind: "plan" }])).status).toBe(404);
});

test.each(["stripe", "creem"] as const)(
  "at %s an operator adds a price, changes one, and moves a subscription to it",
  async (name) => {
    const payments = await startPayments();
    const { deliveries } = await buy(payments, name, "plan");
    const [completed] = deliveries.flatMap(({ events }) => events);
    if (completed?.kind !== "checkout_completed") throw new Error("no checkout");
    const at = { provider: name, control: payments.control };
    const prefix = name === "stripe" ? "price" : "prod";
    const id = completed.subscriptionId ?? "";
    const path = `/subscriptions/${id}/price`;
    const foreign = `${prefix}_foreign`;
    expect((await payments.control(name, "POST", path, { price: foreign })).status).toBe(404);
    await setPrice(at, foreign, { amount: 50, interval: "month" });
    const before = payments.receiver.received.length;
    await setSubscriptionPrice(at, id, foreign);
    await payments.control(name, "POST", `/subscriptions/${id}/renew`);
    const told = payments.receiver.received
      .slice(before)
      .map(({ rawBody }) => new TextDecoder().decode(rawBody));
    expect(told).not.toEqual([]);
    for (const body of told.slice(0, 2)) expect(body).toContain(foreign);
    await setPrice(at, `${prefix}_sandbox_${PLAN_MONTHLY}`, { amount: 1, interval: "month" });
    const { body } = await payments.control(name, "GET", "/state");
    expect(Object.keys((body as { prices: object }).prices)).toEqual([
      foreign,
      `${prefix}_sandbox_${PLAN_MONTHLY}`,
    ]);
  },
);
