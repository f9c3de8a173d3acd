import { afterEach, beforeEach, expect, test } from "vitest";
import { CURRENCY, RETIRED, type RetiredPrice } from "~/catalog";
import { compareSubscription } from "~/models/billing/reconciliation/compare-subscriptions.server";
import type { Comparison } from "~/models/billing/reconciliation/comparison.server";
import {
  countNewUnsoldLines,
  listUnsoldLines,
} from "~/models/billing/subscriptions/unsold-lines.server";
import { getBalance } from "~/models/credits/balance.server";
import type { InvoicePaid } from "~/services/payments/billing-event";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";
import { PRICES } from "../../fixtures/payments";
import {
  HAS_TWO_PLANS,
  OTHER_CURRENCY,
  PLAN,
  PLAN_MONTHLY,
  PLAN_YEARLY,
  TOP_MONTHLY,
  TOP_PLAN,
  TOP_YEARLY,
} from "../../fixtures/sold";
import { newInvoice, newLine, stripeEvent } from "../../fixtures/stripe";
import { applyCreemEvents, newSubscription, setUpBillingEnv } from "../../helpers/billing";
import { openBilling } from "../../helpers/billing-ledger";
import { createUser, DAY, inFuture, passTime } from "../../helpers/credits";
import { passPeriods } from "../../helpers/subscriptions";

const { ledger, apply, rowOf, tick } = openBilling();
setUpBillingEnv();
const retired = RETIRED as RetiredPrice[];
let userId: string;
let subscription: ReturnType<typeof newSubscription>;
beforeEach(async () => {
  userId = await createUser(ledger.db);
  subscription = newSubscription(userId);
});
afterEach(() => {
  retired.length = 0;
});

const [START, MONTH_END, YEAR_END] = [inFuture(-DAY), inFuture(29 * DAY), inFuture(364 * DAY)];
const SOLD = {
  ...PRICES,
  [PLAN_MONTHLY]: `price_${PLAN.planKey}_month`,
  [PLAN_YEARLY]: `price_${PLAN.planKey}_year`,
  [TOP_MONTHLY]: `price_${TOP_PLAN.planKey}_month`,
  [TOP_YEARLY]: `price_${TOP_PLAN.planKey}_year`,
};
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const balance = () => getBalance(userId, ledger.db);
const periods = () =>
  ledger.db.subscriptionPeriod.findMany({
    where: { subscription: { userId } },
    orderBy: { startsAt: "asc" },
  });
const linesOf = async () =>
  (await listUnsoldLines(ledger.db)).filter(
    (line) => line.subscription === subscription.providerSubscriptionId,
  );

async function payYear(): Promise<void> {
  await apply(subscription.changed(START, YEAR_END, { priceId: `price_${PLAN.planKey}_year` }));
  await apply(subscription.paid(START, YEAR_END, { amount: 9000 }));
}

/** Reads Stripe's invoice with these lines as this subscription's own. */
function invoiceWith(...lines: object[]): InvoicePaid {
  const payload = stripeEvent("invoice.paid", { ...newInvoice(lines), currency: CURRENCY });
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const event = readStripeDelivery(bytes, SOLD)?.events[0];
  if (event?.kind !== "invoice_paid") throw new Error(`it is ${event?.kind}`);
  const { providerSubscriptionId } = subscription;
  const metadata = subscription.paid(null, null).metadata;
  return { ...event, providerSubscriptionId, metadata, invoiceId: `in_odd_${userId}` };
}

const period = (start: Date, end: Date) => ({
  period: { start: seconds(start), end: seconds(end) },
});
const origin = (type: string, proration: boolean) => ({
  parent: { type, [type]: { proration } },
});
const priced = (price: string) => ({ pricing: { price_details: { price } } });
const ODD_LINES: [what: string, line: object][] = [
  [
    "a one-off item for three days",
    {
      ...origin("invoice_item_details", false),
      ...period(inFuture(0), inFuture(3 * DAY)),
      amount: 500,
    },
  ],
  [
    "a metered price for a month",
    { ...priced("price_metered"), ...period(inFuture(0), inFuture(30 * DAY)), amount: 40 },
  ],
  [
    "a one-off item without length",
    { ...origin("invoice_item_details", false), ...period(inFuture(0), inFuture(0)), amount: 500 },
  ],
  [
    "a foreign line for a year",
    { ...priced("price_other"), ...period(inFuture(0), inFuture(366 * DAY)), amount: 100 },
  ],
  [
    "a seat for the rest of the year",
    {
      ...origin("subscription_item_details", true),
      ...priced("price_seat"),
      ...period(inFuture(0), YEAR_END),
      amount: 200,
    },
  ],
];

test.each(ODD_LINES)("%s neither ends nor extends a paid year", async (_what, line) => {
  await payYear();
  const before = await rowOf(subscription);
  const odd = invoiceWith(newLine({ id: "il_odd", ...line }));
  await apply(odd);
  await apply(odd);
  expect(await rowOf(subscription)).toEqual(before);
  expect(await periods()).toHaveLength(1);
  expect(await linesOf()).toMatchObject([{ invoice: `in_odd_${userId}`, line: "il_odd" }]);
  await passTime(ledger.db, userId, (62 * 24 + 1) * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, 62 * 24 + 1);
  expect((await tick()).grants).toBe(2);
});

test("a refund of the year ends its months, whatever a seat was paid beside it", async () => {
  await payYear();
  const [seat] = ODD_LINES.filter(([what]) => what.startsWith("a seat")).map(([, line]) => line);
  await apply(invoiceWith(newLine({ id: "il_seat", ...seat })));
  await apply(subscription.refunded(subscription.paid(START, YEAR_END, { amount: 9000 }), 9000));
  expect(await balance()).toBe(0);
  await passTime(ledger.db, userId, (62 * 24 + 1) * 60 * 60 * 1000);
  await passPeriods(ledger.db, userId, 62 * 24 + 1);
  await tick();
  expect(await balance()).toBe(0);
  expect(await rowOf(subscription)).toMatchObject({ grantPeriodId: null });
});

test("a seat beside the plan's line is kept, and the plan's line makes its period", async () => {
  const plan = {
    ...priced(`price_${PLAN.planKey}_month`),
    ...period(START, MONTH_END),
    amount: 900,
  };
  const seat = { ...priced("price_seat"), ...period(START, YEAR_END), amount: 200 };
  await apply(
    invoiceWith(newLine({ id: "il_plan", ...plan }), newLine({ id: "il_seat", ...seat })),
  );
  expect(await periods()).toMatchObject([{ planKey: PLAN.planKey }]);
  expect((await periods())[0]?.endsAt.getTime()).toBeLessThanOrEqual(MONTH_END.getTime());
  expect(await linesOf()).toMatchObject([{ line: "il_seat", price: "price_seat", amount: 200n }]);
  expect(await countNewUnsoldLines(ledger.db)).toBeGreaterThan(0);
});

test("a subscription switched to a price outside the catalog gets no further month for it", async () => {
  await apply(subscription.changed(START, MONTH_END));
  await apply(subscription.paid(START, MONTH_END));
  const end = inFuture(59 * DAY);
  const switched = { priceId: "price_cheap", listed: { amount: 50, currency: CURRENCY } };
  await apply(subscription.changed(MONTH_END, end, switched));
  await apply(subscription.paid(MONTH_END, end, { ...switched, amount: 50 }));
  expect(await rowOf(subscription)).toMatchObject({
    providerPriceId: "price_cheap",
    planKey: PLAN.planKey,
    paidUntil: MONTH_END,
  });
  expect(await linesOf()).toMatchObject([{ line: "period", price: "price_cheap", amount: 50n }]);
});

test.each([
  ["a price outside the catalog", { priceId: "price_cheap", listed: null }],
  ["a plan's price listed below its amount", { listed: { amount: 50, currency: CURRENCY } }],
  ["no price", { priceId: null }],
])("a new subscription with our metadata at %s gets nothing", async (_what, more) => {
  await apply(subscription.changed(START, MONTH_END, more));
  expect(await balance()).toBe(0);
  expect(await periods()).toHaveLength(0);
});

test("a plan's price in another currency decides alone", async () => {
  await apply(
    subscription.changed(START, MONTH_END, { listed: { amount: 50, currency: OTHER_CURRENCY } }),
  );
  expect(await balance()).toBe(300);
});

test("a plan's period that is listed below its amount is kept and makes none", async () => {
  await apply(subscription.paid(START, MONTH_END, { listed: { amount: 899, currency: CURRENCY } }));
  expect(await periods()).toHaveLength(0);
  expect(await linesOf()).toHaveLength(1);
});

test("a retired price grants its plan's months", async () => {
  retired.push({ price: "price_2024", planKey: TOP_PLAN.planKey, period: "month", amount: 1900 });
  const old = { priceId: "price_2024", listed: { amount: 1900, currency: CURRENCY } };
  await apply(subscription.changed(START, MONTH_END, old));
  await apply(subscription.paid(START, MONTH_END, old));
  expect(await balance()).toBe(TOP_PLAN.creditsPerMonth);
  expect(await rowOf(subscription)).toMatchObject({
    planKey: TOP_PLAN.planKey,
    providerPriceId: "price_2024",
  });
  expect(await periods()).toMatchObject([{ planKey: TOP_PLAN.planKey, amount: 900n }]);
});

test("the price follows the newest event; an older one only fills it in", async () => {
  await apply(subscription.changed(START, MONTH_END, { occurredAt: inFuture(0) }));
  await apply(
    subscription.changed(START, MONTH_END, { priceId: `price_${TOP_PLAN.planKey}_month` }),
  );
  expect(await rowOf(subscription)).toMatchObject({
    providerPriceId: `price_${PLAN.planKey}_month`,
  });
});

test("an invoice that names no price is about the subscription's own, which must be a plan's", async () => {
  const end = inFuture(59 * DAY);
  const renewal = subscription.paid(MONTH_END, end, { priceId: null });
  await expect(apply(renewal)).rejects.toThrow(/which price/);
  await apply(subscription.changed(START, MONTH_END));
  await apply(renewal);
  expect(await rowOf(subscription)).toMatchObject({ paidUntil: end });
  await apply(subscription.changed(MONTH_END, end, { priceId: "price_cheap" }));
  const later = inFuture(89 * DAY);
  await apply(subscription.paid(end, later, { priceId: null }));
  expect(await rowOf(subscription)).toMatchObject({ paidUntil: end });
  expect(await linesOf()).toMatchObject([{ line: "period", price: "price_cheap" }]);
});

test.runIf(HAS_TWO_PLANS)(
  "at Creem an upgrade's payment names the whole period and its own amount",
  async () => {
    const product = (plan: string) => ({ priceId: `prod_${plan}_month` });
    await applyCreemEvents(
      ledger.db,
      subscription.changed(START, MONTH_END, product(PLAN.planKey)),
    );
    await applyCreemEvents(ledger.db, subscription.paid(START, MONTH_END, product(PLAN.planKey)));
    const upgrade = {
      ...product(TOP_PLAN.planKey),
      paidAt: inFuture(0),
      listed: { amount: 1933, currency: CURRENCY },
    };
    await applyCreemEvents(ledger.db, subscription.paid(START, MONTH_END, upgrade));
    expect(await periods()).toMatchObject([
      { kind: "paid" },
      { kind: "upgrade", planKey: TOP_PLAN.planKey },
    ]);
    const below = { ...product(PLAN.planKey), listed: { amount: 100, currency: CURRENCY } };
    await applyCreemEvents(ledger.db, subscription.paid(MONTH_END, YEAR_END, below));
    expect(await periods()).toHaveLength(2);
  },
);

test("reconcile names a live subscription at a price that sells no plan, and notes no payment of it", async () => {
  await apply(subscription.changed(START, MONTH_END, { startedAt: START }));
  await apply(subscription.paid(START, MONTH_END));
  const end = inFuture(59 * DAY);
  const switched = subscription.changed(MONTH_END, end, { priceId: "price_cheap" });
  await apply(switched);
  const unsold = subscription.paid(MONTH_END, end, { priceId: null });
  const records = { name: "stripe", listPaidPeriods: async () => [unsold] };
  const comparison = {
    ...{ db: ledger.db, records, prices: SOLD, userId: null, since: START },
    ...{ site: "localhost:3000", startedAt: new Date() },
  } as unknown as Comparison;
  const compare = () => compareSubscription(switched, comparison);
  expect(await compare()).toMatchObject([
    { says: expect.stringContaining("price_cheap there is neither configured nor in RETIRED") },
  ]);
  retired.push({ price: "price_cheap", planKey: PLAN.planKey, period: "month", amount: 50 });
  expect(await compare()).toMatchObject([{ says: expect.stringContaining("paid until") }]);
});
