import type { Transaction } from "~/db.server";
import type { PaymentProviderName } from "~/env/payments";
import { Prisma } from "~/generated/prisma/client";
import { takeOverClosed } from "~/models/billing/returns/closed-rows.server";
import { type PaymentReturned, RETURN_STATES } from "~/services/payments/billing-event";

/** The order or the period whose payment goes back. */
export type Returned =
  | { of: "order"; orderId: string; userId: string }
  | { of: "period"; periodId: string; subscriptionId: string; userId: string };

/** All states, so that of two of one kind the later is the further one. */
const FURTHER = [...RETURN_STATES.refund, ...RETURN_STATES.dispute];

/**
 * Writes a refund or dispute down, or what is new about it. Its state is the furthest ever told, and a
 * figure the highest. False if the event doesn't name the payment.
 */
export async function logReturn(
  {
    provider,
    event,
    returned,
  }: { provider: PaymentProviderName; event: PaymentReturned; returned: Returned | null },
  transaction: Transaction,
): Promise<boolean> {
  const { payment } = event;
  if (!payment.paymentId) return false;
  const { orderId, periodId } = idsOf(returned);
  // An inquiry that becomes a dispute is one from then on.
  const isDispute = event.of === "dispute" && (event.state === "open" || event.state === "lost");
  await takeOverClosed({ provider, event }, transaction);
  await transaction.$executeRaw`
    INSERT INTO payment_returns AS known (provider, provider_return_id, kind, provider_payment_id,
      provider_order_id, provider_invoice_id, provider_checkout_id, provider_subscription_id,
      provider_customer_id, sku_key, state, amount, charged_amount, currency, order_id, period_id,
      paid_at, provider_at, disputed_at)
    VALUES (${provider}, ${event.returnId}, ${event.of}, ${payment.paymentId}, ${payment.orderId},
      ${payment.invoiceId}, ${payment.checkoutId}, ${payment.providerSubscriptionId},
      ${payment.customerId}, ${payment.metadata?.skuKey ?? null}, ${event.state},
      ${event.amount}::bigint, ${payment.chargedAmount}::bigint, ${event.currency},
      ${orderId}::uuid, ${periodId}::uuid, ${payment.paidAt}::timestamptz,
      ${event.occurredAt}::timestamptz, CASE WHEN ${isDispute} THEN now() END)
    ON CONFLICT ${conflictOf(event)} DO UPDATE SET
      state = CASE WHEN array_position(${FURTHER}::text[], excluded.state)
          > array_position(${FURTHER}::text[], known.state)
        THEN excluded.state ELSE known.state END,
      disputed_at = CASE WHEN known.state = 'inquiry' THEN excluded.disputed_at ELSE known.disputed_at END,
      amount = greatest(known.amount, excluded.amount),
      charged_amount = coalesce(known.charged_amount, excluded.charged_amount),
      order_id = coalesce(excluded.order_id, known.order_id),
      period_id = CASE WHEN excluded.order_id IS NULL
        THEN coalesce(excluded.period_id, known.period_id) END,
      dropped_reason = CASE WHEN excluded.order_id IS NULL AND excluded.period_id IS NULL
        THEN known.dropped_reason END,
      provider_order_id = coalesce(known.provider_order_id, excluded.provider_order_id),
      provider_invoice_id = coalesce(known.provider_invoice_id, excluded.provider_invoice_id),
      provider_checkout_id = coalesce(known.provider_checkout_id, excluded.provider_checkout_id),
      provider_subscription_id =
        coalesce(known.provider_subscription_id, excluded.provider_subscription_id),
      provider_customer_id = coalesce(known.provider_customer_id, excluded.provider_customer_id),
      sku_key = coalesce(known.sku_key, excluded.sku_key),
      paid_at = coalesce(known.paid_at, excluded.paid_at),
      provider_at = least(known.provider_at, excluded.provider_at)`;
  return true;
}

export function idsOf(returned: Returned | null): {
  orderId: string | null;
  periodId: string | null;
} {
  return {
    orderId: returned?.of === "order" ? returned.orderId : null,
    periodId: returned?.of === "period" ? returned.periodId : null,
  };
}

function conflictOf({ returnId }: PaymentReturned): Prisma.Sql {
  return returnId === null
    ? Prisma.sql`(provider, provider_payment_id, kind) WHERE provider_return_id IS NULL`
    : Prisma.sql`(provider, provider_return_id)`;
}
