import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { PAYMENT_PROVIDER_NAMES } from "~/env/payments";
import { SubscriptionStatus } from "~/generated/prisma/enums";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import {
  ownSubscriptionSchema,
  packCheckoutSchema,
  returnParametersSchema,
  subscriptionCheckoutSchema,
} from "~/services/payments/checkout-request";
import type { ErrorCode } from "~/utils/error-codes";

export const checkoutSchema = z
  .object({
    provider: z.enum(PAYMENT_PROVIDER_NAMES),
    sessionId: z.string(),
    url: z.url().meta({ description: "The hosted page on which the buyer pays." }),
  })
  .meta({ id: "Checkout" });

export const cancellationSchema = z
  .object({
    subscriptionId: z.uuid(),
    status: z.enum(SubscriptionStatus),
    cancelAtPeriodEnd: z
      .boolean()
      .meta({ description: "False if it renews, or has ended at once." }),
    currentPeriodEnd: z.iso.datetime().nullable().meta({ description: "When it ends or renews." }),
  })
  .meta({ id: "Cancellation" });

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().meta({
    description:
      "The same key and body get the same response while the hosted page is open (a day), and a new page after that.",
  }),
});

const body = (schema: z.ZodType) => ({
  required: true,
  content: { "application/json": { schema } },
});

function checkout(operation: {
  operationId: string;
  summary: string;
  schema: z.ZodType;
  unknown: ErrorCode;
  conflicts: ErrorCode[];
}): ZodOpenApiOperationObject {
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    requestParams: { header: idempotencyHeader },
    requestBody: body(operation.schema),
    responses: {
      200: jsonResponse("Nothing is charged before the buyer pays there.", checkoutSchema),
      ...problemResponses([
        "invalid_input",
        operation.unknown,
        "unauthenticated",
        "email_unverified",
        ...operation.conflicts,
        "payload_too_large",
        "idempotency_mismatch",
        "provider_error",
        "payments_unavailable",
      ]),
    },
  };
}

export const paymentPaths: ZodOpenApiPathsObject = {
  "/api/payments/checkout": {
    post: checkout({
      operationId: "checkoutPack",
      summary: "Open a hosted checkout for a credit pack",
      schema: packCheckoutSchema,
      unknown: "unknown_sku",
      conflicts: ["idempotency_in_progress", "not_for_sale"],
    }),
  },
  "/api/payments/subscription/checkout": {
    post: checkout({
      operationId: "checkoutSubscription",
      summary: "Open a hosted checkout for a subscription",
      schema: subscriptionCheckoutSchema,
      unknown: "unknown_plan",
      conflicts: ["already_subscribed", "idempotency_in_progress", "not_for_sale"],
    }),
  },
  "/api/payments/subscription/cancel": {
    post: {
      operationId: "cancelSubscription",
      summary: "End a subscription with its period, or at once if it has none left",
      description:
        'The provider is asked each time. Without `subscriptionId`, which is this service\'s id, the running subscription is meant. One without a period to end with (paused, expired, or unknown to the provider) ends at once: `"status": "canceled"`, `"cancelAtPeriodEnd": false`. One that has ended before, or none, gets `no_subscription`.',
      requestBody: body(ownSubscriptionSchema),
      responses: {
        200: jsonResponse(
          "Scheduled, or over. Asking again while it runs returns the same.",
          cancellationSchema,
        ),
        ...problemResponses([
          "invalid_input",
          "unauthenticated",
          "no_subscription",
          "payload_too_large",
          "provider_error",
          "payments_unavailable",
        ]),
      },
    },
  },
  "/api/payments/subscription/resume": {
    post: {
      operationId: "resumeSubscription",
      summary: "Take back the cancellation of a subscription whose end lies ahead",
      description:
        "The provider is asked each time. A change of plan that the cancellation dropped is not planned again. Without `subscriptionId`, which is this service's id, the running subscription is meant. One that has ended gets `subscription_ended`; without any, it is `no_subscription`.",
      requestBody: body(ownSubscriptionSchema),
      responses: {
        200: jsonResponse("It renews. Asking again returns the same.", cancellationSchema),
        ...problemResponses([
          "invalid_input",
          "unauthenticated",
          "no_subscription",
          "subscription_ended",
          "payload_too_large",
          "provider_error",
          "payments_unavailable",
        ]),
      },
    },
  },
  "/api/payments/portal": {
    post: {
      operationId: "openPortal",
      summary: "Get the address of the provider's page for cards, invoices and cancellation",
      description:
        "`email_unverified` comes at Creem while email is on, and `reauthentication_required` ten minutes after the user last proved who they are.",
      responses: {
        200: jsonResponse("Where to send the customer.", z.object({ url: z.url() })),
        ...problemResponses([
          "unauthenticated",
          "email_unverified",
          "reauthentication_required",
          "no_customer",
          "customer_conflict",
          "provider_error",
          "payments_unavailable",
        ]),
      },
    },
  },
  "/api/payments/confirm": {
    post: {
      operationId: "confirmReturn",
      summary: "Check that the provider signed the return from a checkout; grants nothing",
      description:
        "Takes the parameters that Creem appended to the return URL, as one flat object in their order.",
      security: [],
      requestBody: body(returnParametersSchema),
      responses: {
        200: jsonResponse(
          "Credits come by webhook alone, either way.",
          z.object({ status: z.enum(["verified", "deferred"]), fulfilled: z.literal(false) }),
        ),
        ...problemResponses(["invalid_input", "payload_too_large"]),
      },
    },
  },
  "/api/payments/webhook": {
    post: {
      operationId: "receiveWebhook",
      summary: "Receive the active payment provider's events",
      description:
        "Signed over the raw bytes: `Stripe-Signature`, or `creem-signature`. After `invalid_signature` or `invalid_payload` nothing is stored. After `webhook_failed` the event is kept for a retry.",
      security: [],
      requestParams: {
        header: z.object({
          "Stripe-Signature": z
            .string()
            .optional()
            .meta({ description: "While Stripe is active." }),
          "creem-signature": z.string().optional().meta({ description: "While Creem is active." }),
        }),
      },
      requestBody: {
        required: true,
        description: "The provider's event, byte for byte, with its signature header.",
        content: { "application/json": { schema: z.looseObject({}) } },
      },
      responses: {
        200: jsonResponse(
          "Taken in. `deduped` tells that it was before, or is being taken in right now.",
          z.object({ deduped: z.boolean() }),
        ),
        ...problemResponses([
          "invalid_signature",
          "invalid_payload",
          "payload_too_large",
          "webhook_failed",
          "payments_unavailable",
        ]),
      },
    },
  },
};
