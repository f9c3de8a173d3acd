import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { ACTION_KEYS } from "~/catalog";
import { ACTION_PARTS } from "~/models/actions/registry.server";
import { estimateSchema } from "~/server/openapi/estimate-responses";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";

/** Each action with its own body. */
const requestSchema = z
  .union(
    ACTION_KEYS.map((key) =>
      z.object({ action: z.literal(key), input: ACTION_PARTS[key].request.schema }),
    ),
  )
  .meta({ id: "EstimateRequest", description: "An action, and the body that it would get." });

export const estimatePaths: ZodOpenApiPathsObject = {
  "/api/estimate": {
    post: {
      operationId: "estimate",
      summary: "Ask what a run would cost, and whether it would begin",
      description: "Nothing is taken or kept. `input` is the action's own body.",
      requestBody: { required: true, content: { "application/json": { schema: requestSchema } } },
      responses: {
        200: jsonResponse("The estimate.", estimateSchema),
        ...problemResponses([
          "invalid_input",
          "unknown_action",
          "unauthenticated",
          "payload_too_large",
        ]),
      },
    },
  },
};
