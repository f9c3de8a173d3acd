import { z } from "zod";
import type { Prices } from "~/env/prices";
import type { BillingEvent, Delivery } from "~/services/payments/billing-event";
import {
  creemInvoice,
  readInvoiceEvent,
  readPaidPeriod,
} from "~/services/payments/creem/invoice-event";
import { creemCheckout, readCheckoutEvent } from "~/services/payments/creem/payment-events";
import {
  creemDispute,
  creemRefund,
  readDisputeEvent,
  readRefundEvents,
} from "~/services/payments/creem/return-events";
import {
  creemSubscription,
  readSubscriptionChange,
} from "~/services/payments/creem/subscription-event";
import {
  describeProblem,
  id,
  parseJsonObject,
  shortText,
  unixMilliseconds,
} from "~/services/payments/payload";

const envelope = z.object({
  id: id.optional().catch(undefined),
  eventType: shortText.catch("unknown"),
});

/** Normalises a Creem payload; null if the bytes are not a JSON object. Never throws. */
export function readCreemDelivery(rawBody: Uint8Array, prices: Prices): Delivery | null {
  const payload = parseJsonObject(rawBody);
  if (!payload) return null;
  const { id: eventId, eventType } = envelope.parse(payload);
  return {
    providerEventId: eventId ?? null,
    type: eventType,
    get events() {
      return readEvents(eventType, payload, prices);
    },
  };
}

function readEvents(type: string, payload: unknown, prices: Prices): BillingEvent[] {
  switch (type) {
    case "checkout.completed":
      return read(type, payload, creemCheckout, (checkout) => [readCheckoutEvent(checkout, type)]);
    case "subscription.created":
    case "subscription.update":
    case "subscription.updated":
    case "subscription.active":
    case "subscription.trialing":
    case "subscription.paid":
    case "subscription.scheduled_cancel":
    case "subscription.past_due":
    case "subscription.unpaid":
    case "subscription.paused":
    case "subscription.expired":
    case "subscription.canceled":
    case "subscription.deleted":
    case "subscription.terminated":
      return read(type, payload, creemSubscription, (subscription, occurredAt) => {
        const family = type.slice("subscription.".length);
        const change = readSubscriptionChange(subscription, { prices, occurredAt, family });
        return family === "paid"
          ? [change, readPaidPeriod(subscription, { prices, occurredAt })]
          : [change];
      });
    case "invoice.paid":
    case "invoice.payment_succeeded":
    case "invoice.payment_failed":
      return read(type, payload, creemInvoice, (invoice, occurredAt) => [
        readInvoiceEvent(invoice, {
          prices,
          type,
          paid: type !== "invoice.payment_failed",
          occurredAt,
        }),
      ]);
    case "refund.created":
      return read(type, payload, creemRefund, (refund) => readRefundEvents(refund, type));
    case "dispute.created":
      return read(type, payload, creemDispute, (dispute) => [readDisputeEvent(dispute)]);
    default:
      return [{ kind: "unknown", type }];
  }
}

const hasObject = z.object({ object: z.unknown().refine((it) => it != null) });
const envelopeOfKnown = z.object({ created_at: unixMilliseconds, object: z.unknown() });

function read<Schema extends z.ZodType>(
  type: string,
  payload: unknown,
  schema: Schema,
  toEvents: (object: z.output<Schema>, occurredAt: Date) => BillingEvent[],
): BillingEvent[] {
  // Nothing to apply, whatever the type.
  if (!hasObject.safeParse(payload).success) return [{ kind: "unknown", type }];
  const event = envelopeOfKnown.safeParse(payload);
  if (!event.success) return [{ kind: "malformed", type, problem: describeProblem(event.error) }];
  const object = schema.safeParse(event.data.object);
  if (!object.success) return [{ kind: "malformed", type, problem: describeProblem(object.error) }];
  return toEvents(object.data, event.data.created_at);
}
