import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import { ACCEPTED_HEADERS, runSchema } from "~/server/openapi/run-responses";
import type { ErrorCode } from "~/utils/error-codes";

interface RunOperation {
  operationId: string;
  summary: string;
  description?: string;
  request: z.ZodType;
  response: z.ZodType;
  responseDescription: string;
  /** Its errors besides those of every run. */
  errors?: ErrorCode[];
}

/** A route that performs an action for credits: the key that a client may send, and the errors of every run. */
export function runOperation(operation: RunOperation): ZodOpenApiOperationObject {
  const { request, response, responseDescription, errors = [], ...own } = operation;
  return {
    ...own,
    requestParams: {
      header: z.object({
        "Idempotency-Key": z.string().optional().meta({
          description: "The same key and body get the same response again, and you pay once.",
        }),
        Prefer: z.string().optional().meta({
          description: "`respond-async` gets the run at once, with 202, and doesn't wait for it.",
          example: "respond-async",
        }),
      }),
    },
    requestBody: { required: true, content: { "application/json": { schema: request } } },
    responses: {
      200: jsonResponse(responseDescription, response),
      202: {
        ...jsonResponse(
          "To `Prefer: respond-async`: the run, which goes on whatever becomes of the connection.",
          runSchema,
        ),
        headers: ACCEPTED_HEADERS,
      },
      ...problemResponses([
        "invalid_input",
        "prompt_rejected",
        "unauthenticated",
        "insufficient_credits",
        "limit_reached",
        "not_found",
        "idempotency_in_progress",
        "payload_too_large",
        "idempotency_mismatch",
        "generation_failed",
        "generation_unavailable",
        "server_stopping",
        ...errors,
      ]),
    },
  };
}
