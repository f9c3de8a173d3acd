import type Stripe from "stripe";
import { z } from "zod";
import { currency, orNull, unixSeconds } from "~/services/payments/payload";
import { providerError } from "~/services/payments/payment-faults";
import type { ChangePrice, DueLine } from "~/services/payments/plan-changes";
import { callStripe } from "~/services/payments/stripe/stripe-client.server";
import type { StripeStanding } from "~/services/payments/stripe/stripe-standing.server";

const line = z.object({
  amount: z.int(),
  period: z.object({ start: unixSeconds, end: unixSeconds }),
  parent: orNull(
    z.object({
      subscription_item_details: orNull(z.object({ proration: orNull(z.boolean()) })),
    }),
  ),
});

const preview = z.object({
  amount_due: z.int(),
  subtotal: z.int(),
  total: z.int(),
  currency,
  lines: z.object({ data: z.array(line) }),
});

/**
 * Asks Stripe to preview a change at once, and returns what it would charge. With the same `at`, the
 * change charges exactly this.
 * @throws AppError 502 provider_error
 */
export async function previewStripeChange(
  stripe: Stripe,
  request: { subscriptionId: string; standing: StripeStanding; priceId: string; at: Date },
): Promise<ChangePrice> {
  const { subscriptionId, standing, priceId, at } = request;
  const invoice = await callStripe(() =>
    stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: {
        items: [{ id: standing.item.id, price: priceId }],
        proration_behavior: "always_invoice",
        proration_date: at.getTime() / 1000,
      },
    }),
  );
  const read = preview.safeParse(invoice);
  if (!read.success) throw providerError(read.error);
  const { lines, subtotal, total, amount_due: due, currency } = read.data;
  const paid = paidLine(lines.data);
  return {
    isExact: true,
    amountDue: Math.max(0, due),
    currency,
    lines: [
      ...sumsOf(lines.data.map(({ amount }) => amount)),
      ...partOf("tax", total - subtotal),
      ...partOf("balance", due - total),
    ],
    startsAt: paid?.period.start ?? at,
    endsAt: paid?.period.end ?? standing.currentPeriodEnd,
  };
}

/** The line of the period that is paid for: a whole one after a change of interval, or else the rest. */
function paidLine(lines: z.output<typeof line>[]) {
  const positive = lines.filter(({ amount }) => amount > 0);
  return (
    positive.find(({ parent }) => !parent?.subscription_item_details?.proration) ?? positive[0]
  );
}

function sumsOf(amounts: number[]): DueLine[] {
  const sum = (matching: number[]) => matching.reduce((total, amount) => total + amount, 0);
  return [
    ...partOf("new", sum(amounts.filter((amount) => amount > 0))),
    ...partOf("unused", sum(amounts.filter((amount) => amount < 0))),
  ];
}

function partOf(kind: DueLine["kind"], amount: number): DueLine[] {
  return amount === 0 ? [] : [{ kind, amount }];
}
