import { requirePrice, type SandboxPrice } from "../payments/sandbox-catalog";
import { totalOf } from "./stripe-records";
import type { StripeInvoice, StripeInvoiceLine, StripeSubscription } from "./stripe-state";
import { type Generation, renderPrice } from "./subscription-objects";

interface InvoiceContext {
  subscription: StripeSubscription;
  prices: readonly SandboxPrice[];
  generation: Generation;
  baseUrl: string;
}

/** Renders an invoice as it was made, whatever became of its subscription since. */
export function renderInvoice(invoice: StripeInvoice, context: InvoiceContext) {
  const { subscription, generation, baseUrl } = context;
  const ofSubscription = { metadata: subscription.metadata, subscription: subscription.id };
  const { total } = invoice;
  return {
    id: invoice.id,
    object: "invoice",
    amount_due: total,
    amount_paid: invoice.status === "paid" ? total : 0,
    billing_reason: invoice.reason,
    created: invoice.created,
    currency: currencyOf(context),
    customer: subscription.customer,
    hosted_invoice_url: `${baseUrl}/i/${invoice.id}`,
    lines: { object: "list", data: invoice.lines.map((line) => renderLine(line, context)) },
    // The period of one-off invoice items, which ends when the invoice is created; not the paid period.
    period_start: invoice.created,
    period_end: invoice.created,
    status: invoice.status,
    subtotal: totalOf(invoice.lines),
    total,
    ...(generation === "basil"
      ? { parent: { type: "subscription_details", subscription_details: ofSubscription } }
      : {
          payment_intent: invoice.payments[0]?.id ?? null,
          subscription: subscription.id,
          subscription_details: { metadata: subscription.metadata },
        }),
  };
}

/** Renders each payment of an invoice. Since 2025-03 the invoice itself doesn't name them. */
export function renderInvoicePayments(invoice: StripeInvoice, context: InvoiceContext) {
  return invoice.payments.map((payment, index) => ({
    id: `inpay_${invoice.id.slice("in_".length)}${index === 0 ? "" : index}`,
    object: "invoice_payment",
    amount_paid: payment.amount,
    amount_requested: payment.amount,
    created: invoice.created,
    currency: currencyOf(context),
    invoice: invoice.id,
    is_default: index === 0,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: payment.id },
    status: "paid",
  }));
}

/** A previewed invoice isn't stored, and its id can't be used. */
export function renderPreview(lines: StripeInvoiceLine[], context: InvoiceContext) {
  const { subscription } = context;
  const invoice: StripeInvoice = {
    ...{ id: "upcoming_in_sandbox", subscription: subscription.id, reason: "subscription_update" },
    ...{ lines, status: "open", payments: [], total: totalOf(lines), created: 0 },
  };
  return { ...renderInvoice(invoice, context), status: "draft", hosted_invoice_url: null };
}

/** An invoice is in its subscription's currency. */
function currencyOf({ subscription, prices }: InvoiceContext): string {
  return requirePrice(prices, subscription.priceId).currency;
}

function renderLine(line: StripeInvoiceLine, context: InvoiceContext) {
  const { subscription, prices, generation } = context;
  const { amount, priceId, start, end, proration, isItem = false } = line;
  const currency = currencyOf(context);
  const common = {
    object: "line_item",
    amount,
    currency,
    period: { start, end },
  };
  if (generation === "acacia") {
    const price =
      prices.find(({ id }) => id === priceId) ??
      ({ id: priceId, name: "", amount, currency, interval: isItem ? null : "month" } as const);
    const ofPrice = { price: renderPrice(price), subscription: subscription.id };
    // Before 2025-03 a proration was an invoice item.
    const type = proration || isItem ? "invoiceitem" : "subscription";
    return { ...common, type, proration, ...ofPrice };
  }
  const pricing = { type: "price_details", price_details: { price: priceId } };
  if (isItem) {
    const details = { invoice_item: "ii_sandbox", proration, subscription: subscription.id };
    const parent = { type: "invoice_item_details", invoice_item_details: details };
    return { ...common, parent, pricing };
  }
  return {
    ...common,
    parent: {
      type: "subscription_item_details",
      subscription_item_details: {
        proration,
        subscription: subscription.id,
        subscription_item: subscription.itemId,
      },
    },
    pricing,
  };
}
