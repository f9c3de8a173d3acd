import { afterEach, expect, test } from "vitest";
import { encode, PRICES } from "#tests/fixtures/payments";
import { OTHER_CURRENCY, PACK, PLAN, TOP_YEARLY } from "#tests/fixtures/sold";
import {
  at,
  newInvoice,
  newLine,
  oldInvoice,
  oldLine,
  PERIOD_END,
  PERIOD_START,
  PLAN_PRICE,
  stripeEvent,
} from "#tests/fixtures/stripe";
import { CURRENCY, RETIRED, type RetiredPrice } from "~/catalog";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

/** Not the price that is paid until then, even with one plan. */
const TOP_PRICE = `price_${TOP_YEARLY}`;

const retired = RETIRED as RetiredPrice[];
afterEach(() => {
  retired.length = 0;
});

function readPaid(invoice: object) {
  const payload = encode(stripeEvent("invoice.paid", { ...invoice, currency: CURRENCY }));
  const event = readStripeDelivery(payload, PRICES)?.events[0];
  if (event?.kind !== "invoice_paid") throw new Error(`it is ${event?.kind}`);
  return event;
}

interface Line {
  id?: string;
  amount: number;
  currency?: string;
  quantity?: number;
  period?: { start: number; end: number };
  price?: string;
  kind?: "own" | "added";
  proration?: boolean;
  /** The subscription that it is of. */
  of?: string;
}

/** One line in either shape of payload: before and since 2025-03. */
const SHAPES = {
  old: (lines: Line[]) =>
    oldInvoice(
      lines.map(({ price, kind, proration = false, of = "sub_1", ...line }) =>
        oldLine({
          ...{ type: kind === "added" ? "invoiceitem" : "subscription", proration },
          ...{ subscription: of, price: { id: price ?? PLAN_PRICE } },
          ...line,
        }),
      ),
    ),
  new: (lines: Line[]) =>
    newInvoice(
      lines.map(({ price, kind, proration = false, of = "sub_1", ...line }) => {
        const name = kind === "added" ? "invoice_item_details" : "subscription_item_details";
        return newLine({
          parent: { type: name, [name]: { proration, subscription: of } },
          pricing: { price_details: { price: price ?? PLAN_PRICE } },
          ...line,
        });
      }),
    ),
};

const NOTHING = { covers: "nothing", priceId: null, periodStart: null, periodEnd: null };
const DAY = 86_400;

for (const [shape, invoiceOf] of Object.entries(SHAPES)) {
  test.each<[what: string, line: Line]>([
    ["a one-off item", { kind: "added", amount: 500 }],
    ["a one-off item at the plan's own price", { kind: "added", amount: PLAN.amounts.month }],
    ["a metered price", { price: "price_metered", amount: 40 }],
    ["a seat for the rest of a year", { price: "price_seat", proration: true, amount: 200 }],
    ["another price for a year", { price: "price_other", amount: 100 }],
    ["a pack's price", { price: `price_${PACK.skuKey}`, amount: PACK.amount }],
    ["a plan listed below its amount", { amount: 50 }],
    ["a plan listed below nothing", { amount: -PLAN.amounts.month }],
    [
      "a plan's line of no length",
      { amount: PLAN.amounts.month, period: { start: 1_760_000_000, end: 1_760_000_000 } },
    ],
    ["no units of a plan", { amount: 0, quantity: 0 }],
    ["another subscription's line", { amount: PLAN.amounts.month, of: "sub_2" }],
  ])(`${shape}: %s makes no period and is kept`, (_what, line) => {
    const event = readPaid(invoiceOf([{ id: "il_1", currency: CURRENCY.toUpperCase(), ...line }]));
    expect(event).toMatchObject({ ...NOTHING, listed: null, replacesEarlier: false });
    expect(event.unsold).toMatchObject([
      {
        lineId: "il_1",
        priceId: line.price ?? PLAN_PRICE,
        amount: line.amount,
        currency: CURRENCY,
      },
    ]);
  });

  test(`${shape}: beside the plan's own line, a foreign one that reaches further changes nothing`, () => {
    const year = { start: PERIOD_START, end: PERIOD_START + 365 * DAY };
    const plan = { amount: PLAN.amounts.month };
    const seat = { price: "price_seat", amount: 2400, period: year };
    expect(readPaid(invoiceOf([seat, plan]))).toMatchObject({
      covers: "period",
      priceId: PLAN_PRICE,
      periodEnd: at(PERIOD_END),
      listed: { amount: PLAN.amounts.month, currency: CURRENCY },
      unsold: [{ lineId: "0", priceId: "price_seat", startsAt: at(PERIOD_START) }],
    });
  });

  test(`${shape}: more than a plan costs, and another currency, make a period`, () => {
    expect(readPaid(invoiceOf([{ amount: 2 * PLAN.amounts.month, quantity: 2 }]))).toMatchObject({
      covers: "period",
      unsold: [],
    });
    expect(
      readPaid(invoiceOf([{ amount: 50, currency: OTHER_CURRENCY.toUpperCase() }])),
    ).toMatchObject({
      covers: "period",
      listed: { amount: 50, currency: OTHER_CURRENCY },
    });
  });

  test(`${shape}: an upgrade's rest is charged by a proration of either kind, without an amount to compare`, () => {
    for (const kind of ["own", "added"] as const) {
      const unused = { kind, proration: true, amount: -600 };
      const rest = { kind, proration: true, amount: 193, price: TOP_PRICE };
      expect(readPaid(invoiceOf([unused, rest]))).toMatchObject({
        covers: "upgrade",
        priceId: TOP_PRICE,
        listed: null,
        replacesEarlier: true,
        unsold: [],
      });
      expect(readPaid(invoiceOf([rest]))).toMatchObject({ replacesEarlier: false });
    }
  });

  test(`${shape}: a proration of 0 pays nothing back, and is not kept as unsold`, () => {
    const empty = { proration: true, amount: 0 };
    expect(readPaid(invoiceOf([empty, { amount: PLAN.amounts.month }]))).toMatchObject({
      covers: "period",
      replacesEarlier: false,
      unsold: [],
    });
    expect(readPaid(invoiceOf([empty]))).toMatchObject({ ...NOTHING, unsold: [] });
  });

  test(`${shape}: a seat's unused time doesn't say that the period replaces an earlier one`, () => {
    const unused = { proration: true, amount: -100, price: "price_seat" };
    expect(readPaid(invoiceOf([unused, { amount: PLAN.amounts.month }]))).toMatchObject({
      covers: "period",
      replacesEarlier: false,
      unsold: [{ priceId: "price_seat", amount: -100 }],
    });
  });

  test(`${shape}: a retired price makes a period, at no less than it cost`, () => {
    const line = { price: "price_2024", amount: 700 };
    expect(readPaid(invoiceOf([line]))).toMatchObject(NOTHING);
    retired.push({ price: "price_2024", planKey: PLAN.planKey, period: "month", amount: 700 });
    expect(readPaid(invoiceOf([line]))).toMatchObject({ covers: "period", priceId: "price_2024" });
    expect(readPaid(invoiceOf([{ ...line, amount: 699 }]))).toMatchObject(NOTHING);
  });
}
