import type Stripe from "stripe";
import { z } from "zod";
import { currency, orNull, reference, unixSeconds } from "~/services/payments/payload";
import { providerError } from "~/services/payments/payment-faults";
import type { NextInvoice, PaymentOutlook, SavedCard } from "~/services/payments/payment-outlook";
import { callStripe, findAtStripe } from "~/services/payments/stripe/stripe-client.server";

const paymentMethod = z.object({
  card: orNull(z.object({ brand: z.string().min(1), last4: z.string().regex(/^\d{4}$/) })),
});

const payer = z.object({
  status: z.string(),
  cancel_at: orNull(z.int()),
  cancel_at_period_end: z.boolean(),
  schedule: orNull(reference),
  default_payment_method: orNull(paymentMethod),
  // A deleted customer has no settings.
  customer: z.object({
    invoice_settings: orNull(z.object({ default_payment_method: orNull(paymentMethod) })),
  }),
});

type Payer = z.output<typeof payer>;

const preview = z.object({ amount_due: z.int(), currency, period_end: unixSeconds });

/**
 * Reads the card that pays a subscription, and the invoice of its renewal. Null if Stripe does not have
 * it. Both calls together take `timeoutMs` at most.
 * @throws AppError 502 provider_error
 */
export async function findStripeOutlook(
  stripe: Stripe,
  { providerSubscriptionId, timeoutMs }: { providerSubscriptionId: string; timeoutMs: number },
): Promise<PaymentOutlook | null> {
  const deadline = performance.now() + timeoutMs;
  const inTime = () => ({
    timeout: Math.max(1, Math.round(deadline - performance.now())),
    maxNetworkRetries: 0,
  });
  const found = await findAtStripe(() =>
    stripe.subscriptions.retrieve(
      providerSubscriptionId,
      { expand: ["default_payment_method", "customer.invoice_settings.default_payment_method"] },
      inTime(),
    ),
  );
  if (!found) return null;
  const read = payer.safeParse(found);
  if (!read.success) throw providerError(read.error);
  const card = cardOf(read.data);
  if (!isRenewing(read.data)) return { card, nextInvoice: null };
  // A schedule's next phase may have another price. Stripe previews it by the schedule alone.
  const { schedule } = read.data;
  const asked = schedule ? { schedule } : { subscription: providerSubscriptionId };
  const invoice = await callStripe(() => stripe.invoices.createPreview(asked, inTime()));
  return { card, nextInvoice: readPreview(invoice) };
}

/** The subscription's own payment method takes precedence over its customer's. */
function cardOf({ default_payment_method: own, customer }: Payer): SavedCard | null {
  const method = own ?? customer.invoice_settings?.default_payment_method;
  return method?.card ? { brand: method.card.brand, lastFour: method.card.last4 } : null;
}

const isRenewing = ({ status, cancel_at, cancel_at_period_end }: Payer) =>
  (status === "active" || status === "trialing") && cancel_at === null && !cancel_at_period_end;

function readPreview(invoice: Stripe.Invoice): NextInvoice {
  const read = preview.safeParse(invoice);
  if (!read.success) throw providerError(read.error);
  const { amount_due: due, currency, period_end: at } = read.data;
  return { at, price: { amount: Math.max(0, due), currency } };
}
