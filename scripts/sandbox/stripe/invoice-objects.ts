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
    currency: currencyOf(invoice, context),
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
          payment_intent: invoice.payment,
          subscription: subscription.id,
          subscription_details: { metadata: subscription.metadata },
        }),
  };
}

/** Renders what paid an invoice. Since 2025-03 the invoice itself doesn't name it. */
export function renderInvoicePayment(invoice: StripeInvoice, context: InvoiceContext) {
  const { id, total, payment, created } = invoice;
  return {
    id: `inpay_${id.slice("in_".length)}`,
    object: "invoice_payment",
    amount_paid: total,
    amount_requested: total,
    created,
    currency: currencyOf(invoice, context),
    invoice: id,
    is_default: true,
    livemode: false,
    payment: { type: "payment_intent", payment_intent: payment },
    status: "paid",
  };
}

/** A previewed invoice isn't stored, and its id can't be used. */
export function renderPreview(lines: StripeInvoiceLine[], context: InvoiceContext) {
  const { subscription } = context;
  const draft = { subscription: subscription.id, reason: "subscription_update", lines } as const;
  const unpaid = { status: "open", payment: null, total: totalOf(lines), created: 0 } as const;
  const invoice = { id: "upcoming_in_sandbox", ...draft, ...unpaid };
  return { ...renderInvoice(invoice, context), status: "draft", hosted_invoice_url: null };
}

function currencyOf({ lines }: Pick<StripeInvoice, "lines">, { prices }: InvoiceContext): string {
  return requirePrice(prices, lines[0]?.priceId ?? "").currency;
}

function renderLine(line: StripeInvoiceLine, { subscription, prices, generation }: InvoiceContext) {
  const { amount, priceId, start, end, proration } = line;
  const price = requirePrice(prices, priceId);
  const common = {
    object: "line_item",
    amount,
    currency: price.currency,
    period: { start, end },
  };
  if (generation === "acacia") {
    const ofPrice = { price: renderPrice(price), subscription: subscription.id };
    // Before 2025-03 a proration was an invoice item.
    return { ...common, type: proration ? "invoiceitem" : "subscription", proration, ...ofPrice };
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
    pricing: { type: "price_details", price_details: { price: price.id } },
  };
}
