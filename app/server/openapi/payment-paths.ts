import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { jsonAnswer, problemAnswers } from "~/server/openapi/problem-answers";
import {
  cancelSchema,
  packCheckoutSchema,
  returnParametersSchema,
  subscriptionCheckoutSchema,
} from "~/services/payments/checkout-request";

export const checkoutSchema = z
  .object({
    provider: z.enum(["stripe", "creem"]),
    sessionId: z.string(),
    url: z.url().meta({ description: "The hosted page on which the buyer pays." }),
  })
  .meta({ id: "Checkout" });

export const cancellationSchema = z
  .object({
    subscriptionId: z.uuid(),
    status: z.enum(["trialing", "active", "past_due", "unpaid", "paused"]),
    cancelAtPeriodEnd: z.literal(true),
    currentPeriodEnd: z.iso.datetime().nullable().meta({ description: "When it ends." }),
  })
  .meta({ id: "Cancellation" });

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().optional().meta({
    description:
      "The same key and body answer the same, and open one checkout. Once its page has ended, they open a new one.",
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
  unknown: string;
  conflicts: string[];
}): ZodOpenApiOperationObject {
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    requestParams: { header: idempotencyHeader },
    requestBody: body(operation.schema),
    responses: {
      200: jsonAnswer("Nothing is charged before the buyer pays there.", checkoutSchema),
      ...problemAnswers({
        400: ["invalid_input", operation.unknown],
        401: ["unauthenticated"],
        403: ["email_unverified"],
        409: operation.conflicts,
        413: ["payload_too_large"],
        422: ["idempotency_mismatch"],
        429: ["rate_limited"],
        502: ["provider_error"],
        503: ["payments_unavailable"],
      }),
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
      conflicts: ["idempotency_in_progress"],
    }),
  },
  "/api/payments/subscription/checkout": {
    post: checkout({
      operationId: "checkoutSubscription",
      summary: "Open a hosted checkout for a subscription",
      schema: subscriptionCheckoutSchema,
      unknown: "unknown_plan",
      conflicts: ["already_subscribed", "idempotency_in_progress"],
    }),
  },
  "/api/payments/subscription/cancel": {
    post: {
      operationId: "cancelSubscription",
      summary: "End a subscription with its period",
      requestBody: body(cancelSchema),
      responses: {
        200: jsonAnswer("Scheduled; asking again answers the same.", cancellationSchema),
        ...problemAnswers({
          400: ["invalid_input"],
          401: ["unauthenticated"],
          404: ["no_subscription"],
          413: ["payload_too_large"],
          502: ["provider_error"],
          503: ["payments_unavailable"],
        }),
      },
    },
  },
  "/api/payments/portal": {
    post: {
      operationId: "openPortal",
      summary: "The provider's own page for cards, invoices and cancellation",
      responses: {
        200: jsonAnswer("Where to send the customer.", z.object({ url: z.url() })),
        ...problemAnswers({
          401: ["unauthenticated"],
          403: ["email_unverified"],
          404: ["no_customer"],
          409: ["customer_conflict"],
          502: ["provider_error"],
          503: ["payments_unavailable"],
        }),
      },
    },
  },
  "/api/payments/confirm": {
    post: {
      operationId: "confirmReturn",
      summary: "Whether the provider signed the way back from a checkout; fulfils nothing",
      security: [],
      requestBody: body(returnParametersSchema),
      responses: {
        200: jsonAnswer(
          "Credits come by webhook alone, either way.",
          z.object({ status: z.enum(["verified", "deferred"]), fulfilled: z.literal(false) }),
        ),
        ...problemAnswers({ 400: ["invalid_input"], 413: ["payload_too_large"] }),
      },
    },
  },
  "/api/payments/webhook": {
    post: {
      operationId: "receiveWebhook",
      summary: "Where the active payment provider delivers its events",
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
        200: jsonAnswer(
          "Taken in. `deduped` tells that it was before, or is being taken in right now.",
          z.object({ deduped: z.boolean() }),
        ),
        ...problemAnswers({
          400: ["invalid_signature", "invalid_payload"],
          413: ["payload_too_large"],
          500: ["webhook_failed"],
          503: ["payments_unavailable"],
        }),
      },
    },
  },
};
