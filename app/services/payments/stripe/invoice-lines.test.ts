import { afterEach, expect, test } from "vitest";
import { encode, PRICES } from "#tests/fixtures/payments";
import {
  at,
  newInvoice,
  newLine,
  oldInvoice,
  oldLine,
  PERIOD_END,
  PERIOD_START,
  stripeEvent,
} from "#tests/fixtures/stripe";
import { RETIRED, type RetiredPrice } from "~/catalog";
import { readStripeDelivery } from "~/services/payments/stripe/stripe-delivery";

const retired = RETIRED as RetiredPrice[];
afterEach(() => {
  retired.length = 0;
});

function readPaid(invoice: object) {
  const payload = encode(stripeEvent("invoice.paid", { ...invoice, currency: "usd" }));
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
          ...{ subscription: of, price: { id: price ?? "price_starter_monthly" } },
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
          pricing: { price_details: { price: price ?? "price_starter_monthly" } },
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
    ["a one-off item at the plan's own price", { kind: "added", amount: 900 }],
    ["a metered price", { price: "price_metered", amount: 40 }],
    ["a seat for the rest of a year", { price: "price_seat", proration: true, amount: 200 }],
    ["another price for a year", { price: "price_other", amount: 100 }],
    ["a pack's price", { price: "price_credits_small", amount: 500 }],
    ["a plan listed below its amount", { amount: 50 }],
    ["a plan listed below nothing", { amount: -900 }],
    [
      "a plan's line of no length",
      { amount: 900, period: { start: 1_760_000_000, end: 1_760_000_000 } },
    ],
    ["no units of a plan", { amount: 0, quantity: 0 }],
    ["another subscription's line", { amount: 900, of: "sub_2" }],
  ])(`${shape}: %s makes no period and is kept`, (_what, line) => {
    const event = readPaid(invoiceOf([{ id: "il_1", currency: "USD", ...line }]));
    expect(event).toMatchObject({ ...NOTHING, listed: null, replacesEarlier: false });
    expect(event.unsold).toMatchObject([
      {
        lineId: "il_1",
        priceId: line.price ?? "price_starter_monthly",
        amount: line.amount,
        currency: "usd",
      },
    ]);
  });

  test(`${shape}: beside the plan's own line, a foreign one that reaches further changes nothing`, () => {
    const year = { start: PERIOD_START, end: PERIOD_START + 365 * DAY };
    const plan = { amount: 900 };
    const seat = { price: "price_seat", amount: 2400, period: year };
    expect(readPaid(invoiceOf([seat, plan]))).toMatchObject({
      covers: "period",
      priceId: "price_starter_monthly",
      periodEnd: at(PERIOD_END),
      listed: { amount: 900, currency: "usd" },
      unsold: [{ lineId: "0", priceId: "price_seat", startsAt: at(PERIOD_START) }],
    });
  });

  test(`${shape}: more than a plan costs, and another currency, make a period`, () => {
    expect(readPaid(invoiceOf([{ amount: 1800, quantity: 2 }]))).toMatchObject({
      covers: "period",
      unsold: [],
    });
    expect(readPaid(invoiceOf([{ amount: 50, currency: "EUR" }]))).toMatchObject({
      covers: "period",
      listed: { amount: 50, currency: "eur" },
    });
  });

  test(`${shape}: an upgrade's rest is charged by a proration of either kind, without an amount to compare`, () => {
    for (const kind of ["own", "added"] as const) {
      const unused = { kind, proration: true, amount: -600 };
      const rest = { kind, proration: true, amount: 193, price: "price_pro_monthly" };
      expect(readPaid(invoiceOf([unused, rest]))).toMatchObject({
        covers: "upgrade",
        priceId: "price_pro_monthly",
        listed: null,
        replacesEarlier: true,
        unsold: [],
      });
      expect(readPaid(invoiceOf([rest]))).toMatchObject({ replacesEarlier: false });
    }
  });

  test(`${shape}: a seat's unused time doesn't say that the period replaces an earlier one`, () => {
    const unused = { proration: true, amount: -100, price: "price_seat" };
    expect(readPaid(invoiceOf([unused, { amount: 900 }]))).toMatchObject({
      covers: "period",
      replacesEarlier: false,
      unsold: [{ priceId: "price_seat", amount: -100 }],
    });
  });

  test(`${shape}: a retired price makes a period, at no less than it cost`, () => {
    const line = { price: "price_2024", amount: 700 };
    expect(readPaid(invoiceOf([line]))).toMatchObject(NOTHING);
    retired.push({ price: "price_2024", planKey: "starter", period: "month", amount: 700 });
    expect(readPaid(invoiceOf([line]))).toMatchObject({ covers: "period", priceId: "price_2024" });
    expect(readPaid(invoiceOf([{ ...line, amount: 699 }]))).toMatchObject(NOTHING);
  });
}
