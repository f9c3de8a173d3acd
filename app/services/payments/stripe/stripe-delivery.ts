import { z } from "zod";
import type { Prices } from "~/env/prices";
import type { BillingEvent, Delivery } from "~/services/payments/billing-event";
import {
  describeProblem,
  id,
  parseJsonObject,
  shortText,
  unixSeconds,
} from "~/services/payments/payload";
import {
  readInvoiceEvent,
  readInvoicePayment,
  stripeInvoice,
  stripeInvoicePayment,
} from "~/services/payments/stripe/invoice-event";
import { readSessionEvent, stripeSession } from "~/services/payments/stripe/payment-events";
import {
  readChargeEvent,
  readDisputeEvent,
  readRefundEvent,
  stripeCharge,
  stripeDispute,
  stripeRefund,
} from "~/services/payments/stripe/return-events";
import {
  readSubscriptionEvent,
  stripeSubscription,
} from "~/services/payments/stripe/subscription-event";
import {
  readIntentEvent,
  readSetupEvent,
  stripeIntent,
  stripeSetupIntent,
} from "~/services/payments/stripe/top-up-events";

/** An event without an id is accepted; so is a thin one (v2), which has no `data.object`. */
const envelope = z.object({
  id: id.optional().catch(undefined),
  type: shortText.catch("unknown"),
});

/** Normalises a Stripe payload; null if the bytes are not a JSON object. Never throws. */
export function readStripeDelivery(rawBody: Uint8Array, prices: Prices): Delivery | null {
  const payload = parseJsonObject(rawBody);
  if (!payload) return null;
  const { id: eventId, type } = envelope.parse(payload);
  return {
    providerEventId: eventId ?? null,
    type,
    get events() {
      return [readEvent(type, payload, prices)];
    },
  };
}

function readEvent(type: string, payload: unknown, prices: Prices): BillingEvent {
  switch (type) {
    case "checkout.session.completed":
      return read(type, payload, stripeSession, (session) => readSessionEvent(session, type));
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return read(type, payload, stripeSubscription, (subscription, occurredAt) =>
        readSubscriptionEvent(subscription, {
          prices,
          occurredAt,
          deleted: type === "customer.subscription.deleted",
        }),
      );
    case "invoice.paid":
    case "invoice.payment_succeeded":
    case "invoice.payment_failed":
      return read(type, payload, stripeInvoice, (invoice, occurredAt) =>
        readInvoiceEvent(invoice, {
          prices,
          type,
          paid: type !== "invoice.payment_failed",
          occurredAt,
        }),
      );
    case "invoice_payment.paid":
      return read(type, payload, stripeInvoicePayment, (link) => readInvoicePayment(link, type));
    case "charge.refunded":
      return read(type, payload, stripeCharge, (charge, occurredAt) =>
        readChargeEvent(charge, type, occurredAt),
      );
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
    case "charge.refund.updated":
      return read(type, payload, stripeRefund, (refund) => readRefundEvent(refund, type));
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
    case "charge.dispute.closed":
      return read(type, payload, stripeDispute, (dispute) => readDisputeEvent(dispute, type));
    case "setup_intent.succeeded":
      return read(type, payload, stripeSetupIntent, (setup) => readSetupEvent(setup, type));
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled":
      return read(type, payload, stripeIntent, (intent) => readIntentEvent(intent, type));
    default:
      return { kind: "unknown", type };
  }
}

const snapshot = z.object({ created: unixSeconds, data: z.object({ object: z.unknown() }) });

/** A thin event of any type only names what changed, so there is nothing in it to apply. */
const hasObject = z.object({ data: z.object({ object: z.unknown().refine((it) => it != null) }) });

function read<Schema extends z.ZodType>(
  type: string,
  payload: unknown,
  schema: Schema,
  toEvent: (object: z.output<Schema>, occurredAt: Date) => BillingEvent,
): BillingEvent {
  if (!hasObject.safeParse(payload).success) return { kind: "unknown", type };
  const event = snapshot.safeParse(payload);
  if (!event.success) return { kind: "malformed", type, problem: describeProblem(event.error) };
  const object = schema.safeParse(event.data.data.object);
  if (!object.success) return { kind: "malformed", type, problem: describeProblem(object.error) };
  return toEvent(object.data, event.data.created);
}
