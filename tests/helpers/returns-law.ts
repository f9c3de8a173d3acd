import { randomUUID } from "node:crypto";
import type { PlanKey } from "~/catalog";
import { CURRENCY } from "~/catalog";
import type { PaymentProviderName } from "~/env/payments";
import type {
  BillingEvent,
  PaymentReturned,
  ReturnKind,
  ReturnState,
} from "~/services/payments/billing-event";
import { addMonths } from "~/utils/add-months";
import { OTHER_CURRENCY, PLAN, TOP_PLAN } from "../fixtures/sold";
import { newSubscription, packCheckout, paymentReturned } from "./billing";
import type { Delivery, InvoiceLife, ReturnLife, SaleLife, Shop } from "./returns-shop";

/** A provider's delivery. */
export interface Fact {
  /** Days after the first one. */
  at: number;
  events: BillingEvent[];
  delivery: Delivery;
  /** Whether reconcile finds it; otherwise it is a delivery. */
  isAsked: boolean;
}

/** A payment as its provider knows it. Amounts in minor units. */
export interface SoldPayment {
  paymentId: string;
  orderId: string | null;
  /** In the sale's currency. */
  paid: number;
  charged: number;
  currency: string;
}

/** A purchase, by a name that is the same for every customer. */
export interface Sold {
  name: string;
  amount: number;
  payments: SoldPayment[];
}

/** The facts of a shop for one customer. */
export interface Told {
  userId: string;
  provider: PaymentProviderName;
  sales: Sold[];
  facts: Fact[];
  /** The facts that reconcile tells once everything has happened. */
  asked: Fact[];
  /** Ends every id of this customer, so that the names without it can be compared. */
  suffix: string;
}

/** The provider's clock at the first fact; the database's stands ten days later. */
const START = new Date("2026-03-05T10:00:00Z");
export const NOW_DAYS = 10;
const UPGRADE_DAY = 4;
const AGAIN_DAY = 6;
const UPGRADE_AGAIN_DAY = 7;
const DAY = 24 * 60 * 60 * 1000;
export const dayOf = (day: number) => new Date(START.getTime() + day * DAY);

const AWAY: readonly ReturnState[] = ["pending", "succeeded", "open", "lost"];
/** The currency of disputes in one that nobody charged. */
const NOBODYS = "jpy";
const NEVER_LATE: Delivery = { late: 0, again: null };

/** Everything that the provider tells of this shop's purchases, if this user makes them. */
export function tell(shop: Shop, userId: string): Told {
  const told: Told = {
    ...{ userId, provider: shop.provider, sales: [], facts: [], asked: [] },
    suffix: `_${randomUUID()}`,
  };
  for (const [at, pack] of shop.packs.entries()) tellPack(told, { ...pack, name: `pack${at}` });
  if (shop.subscription) tellSubscription(told, shop.subscription);
  for (const [at, fact] of told.asked.entries())
    fact.delivery = shop.asked[at % shop.asked.length] ?? NEVER_LATE;
  return told;
}

function push(told: Told, at: number, delivery: Delivery | undefined, events: BillingEvent[]) {
  told.facts.push({ at, events, delivery: delivery ?? NEVER_LATE, isAsked: false });
}

/** The payments of a purchase; in the other currency 9 cents are 10. */
function sell(
  told: Told,
  {
    name,
    amount,
    split,
    isConverted,
  }: Pick<SaleLife, "isConverted"> & {
    name: string;
    amount: number;
    split: number | null;
  },
): Sold {
  const first = split === null ? amount : Math.floor((amount * split) / 10);
  const parts = split === null ? [first] : [first, amount - first];
  const isCreem = told.provider === "creem";
  const payments = parts.map((paid, at) => ({
    paymentId: `${isCreem ? "tran" : "pi"}_${name}_${at}${told.suffix}`,
    orderId: isCreem ? `ord_${name}${told.suffix}` : null,
    paid,
    charged: isConverted ? Math.ceil((paid * 9) / 10) : paid,
    currency: isConverted ? OTHER_CURRENCY : CURRENCY,
  }));
  const sold = { name, amount, payments };
  told.sales.push(sold);
  return sold;
}

function tellPack(told: Told, pack: SaleLife & { name: string }): void {
  const sold = sell(told, { ...pack, amount: 500, split: null });
  const [payment] = sold.payments as [SoldPayment];
  const checkoutId = `cs_${pack.name}${told.suffix}`;
  const paymentId = payment.orderId ?? payment.paymentId;
  const checkout = packCheckout(told.userId, { checkoutId, paymentId });
  const productId = told.provider === "creem" ? "prod_small" : null;
  push(told, 0, pack.deliveries[0], [{ ...checkout, productId }]);
  const names = {
    checkoutId: told.provider === "creem" ? checkoutId : null,
    metadata: checkout.metadata,
  };
  tellReturns(told, { sold, day: 0, returns: pack.returns, names });
}

function tellSubscription(told: Told, life: NonNullable<Shop["subscription"]>): void {
  const { interval, base, upgrade, again, upgradeAgain } = life;
  const subscription = newSubscription(told.userId);
  const endsAt = addMonths(START, interval === "month" ? 1 : 12);
  const times = interval === "month" ? 1 : 10;
  const tellInvoice = (
    invoice: InvoiceLife,
    {
      name,
      day,
      plan,
      amount,
      change,
    }: {
      name: string;
      day: number;
      plan: PlanKey;
      amount: number;
      /** When the subscription's own event comes; null if it has none. */
      change: Delivery | null | undefined;
    },
  ) => {
    const isCreem = told.provider === "creem";
    // Creem has one payment per transaction.
    const split = isCreem ? null : invoice.split;
    const sold = sell(told, { ...invoice, name, amount, split });
    const priceId = isCreem ? `prod_${plan}_${interval}` : `price_${plan}_${interval}`;
    const changed = {
      ...subscription.changed(START, endsAt, { priceId, occurredAt: dayOf(day) }),
      startedAt: START,
    };
    const isUpgrade = plan === TOP_PLAN.planKey && !isCreem;
    const [payment] = sold.payments as [SoldPayment];
    const invoiceId = isCreem ? payment.paymentId : `in_${name}${told.suffix}`;
    const links = sold.payments.map(({ paymentId, orderId, paid }) => ({
      id: orderId ?? paymentId,
      amount: isCreem ? null : paid,
    }));
    const paid = subscription.paid(isUpgrade ? dayOf(day) : START, endsAt, {
      ...{ covers: isUpgrade ? "upgrade" : "period", priceId, amount, invoiceId },
      paidAt: dayOf(day),
      payments: invoice.isLinkedApart && !isCreem ? [] : links,
    });
    const [first, ...others] = invoice.deliveries;
    // Creem tells it alone when a subscription begins or changes, and again with each payment.
    if (change !== null) push(told, day, change, [changed]);
    if (isCreem) push(told, day, first, [changed, paid]);
    else {
      push(told, day, first, [paid]);
      if (invoice.isLinkedApart)
        for (const [at, { id: intentId, amount: part }] of links.entries())
          push(told, day, others[at], [
            { kind: "invoice_linked", invoiceId, intentId, amount: part },
          ]);
    }
    const names = isCreem
      ? { providerSubscriptionId: subscription.providerSubscriptionId }
      : { customerId: `cus_${told.userId}` };
    tellReturns(told, { sold, day, returns: invoice.returns, names });
  };
  const [first, second] = life.deliveries;
  tellInvoice(base, {
    ...{ name: "base", day: 0, plan: PLAN.planKey, amount: 900 * times, change: first },
  });
  if (upgrade)
    tellInvoice(upgrade, {
      ...{
        name: "upgrade",
        day: UPGRADE_DAY,
        plan: TOP_PLAN.planKey,
        amount: 1700 * times,
        change: second,
      },
    });
  if (again)
    tellInvoice(again, {
      ...{ name: "again", day: AGAIN_DAY, plan: PLAN.planKey, amount: 900 * times, change: null },
    });
  if (upgradeAgain) {
    const sale = { name: "upgradeAgain", plan: TOP_PLAN.planKey, amount: 1700 * times } as const;
    tellInvoice(upgradeAgain, { ...sale, day: UPGRADE_AGAIN_DAY, change: null });
  }
}

interface Returning {
  sold: Sold;
  day: number;
  returns: ReturnLife[];
  /** The facts in returns of this purchase. */
  names: Partial<PaymentReturned["payment"]>;
}

interface Made {
  of: ReturnKind;
  returnId: string;
  amount: number;
  state: ReturnState;
  payment: SoldPayment;
}

function tellReturns(told: Told, { sold, day, returns, names }: Returning): void {
  const made: Made[] = [];
  const isCreem = told.provider === "creem";
  const sumAway = (payment: SoldPayment, kinds: ReturnKind[]) =>
    made
      .filter(
        (row) => row.payment === payment && kinds.includes(row.of) && AWAY.includes(row.state),
      )
      .reduce((total, { amount }) => total + amount, 0);
  const eventOf = (
    { paymentId, orderId, charged, currency }: SoldPayment,
    more: Partial<PaymentReturned>,
    knowsCharge: boolean,
  ) =>
    paymentReturned({
      ...{ paymentId, orderId, currency, ...more },
      ...(isCreem || knowsCharge
        ? { ...names, chargedAmount: currency === NOBODYS ? null : charged, paidAt: dayOf(day) }
        : {}),
    });
  const figureOf = (payment: SoldPayment) =>
    eventOf(
      payment,
      {
        ...{ of: "refund", returnId: null, state: "succeeded" },
        amount: Math.min(
          payment.charged,
          sumAway(payment, isCreem ? ["refund", "dispute"] : ["refund"]),
        ),
      },
      true,
    );
  for (const [at, { life, tenths, ...way }] of returns.entries()) {
    const { of, states } = life;
    const own = sold.payments[way.payment % sold.payments.length] as SoldPayment;
    const isElsewhere = way.isElsewhere && of === "dispute" && !isCreem;
    const payment = isElsewhere ? { ...own, currency: NOBODYS } : own;
    const left = of === "refund" ? payment.charged - sumAway(payment, ["refund"]) : payment.charged;
    const amount = Math.ceil((left * tenths) / 10);
    if (amount <= 0) continue;
    const returnId = `${of === "refund" ? "re" : "dp"}_${sold.name}_${at}${told.suffix}`;
    const row: Made = { of, returnId, amount, state: states[0] as ReturnState, payment };
    made.push(row);
    for (const [step, state] of states.entries()) {
      row.state = state;
      const named = eventOf(payment, { of, returnId, state, amount }, false);
      const isNamed = way.isNamed || of === "dispute" || isCreem;
      const events: BillingEvent[] = isNamed ? [named] : [];
      const figure = figureOf(payment);
      const hasFigure = of === "refund" && figure.amount > 0 && (way.hasFigure || !isNamed);
      if (hasFigure && isCreem) events.push(figure);
      const time = day + way.day + step / 10 + at / 100;
      if (events.length > 0) push(told, time, way.deliveries[step], events);
      if (hasFigure && !isCreem && step === 0) push(told, time, way.deliveries[4], [figure]);
    }
  }
  const asked = isCreem
    ? sold.payments.map(figureOf).filter(({ amount }) => amount > 0)
    : made.map(({ payment, ...row }) => eventOf(payment, row, true));
  for (const event of asked)
    told.asked.push({
      ...{ at: Number.POSITIVE_INFINITY, events: [event], delivery: NEVER_LATE, isAsked: true },
    });
}
