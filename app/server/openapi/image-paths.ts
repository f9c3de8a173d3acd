import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { generationSchema } from "~/server/openapi/image-responses";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import { ACCEPTED_HEADERS, runSchema } from "~/server/openapi/run-responses";
import { generationRequestSchema } from "~/services/images/generation-request";
import { MAX_IMAGES } from "~/services/images/image-limits";

const PICTURE = { "image/png": {}, "image/jpeg": {}, "image/webp": {}, "image/gif": {} };

export const imagePaths: ZodOpenApiPathsObject = {
  "/api/generate-image": {
    post: {
      operationId: "generateImage",
      summary: "Generate 1 to 4 images, paid with credits",
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
      requestBody: {
        required: true,
        content: { "application/json": { schema: generationRequestSchema } },
      },
      responses: {
        200: jsonResponse("Fewer images than asked for are charged as such.", generationSchema),
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
          "not_found",
          "idempotency_in_progress",
          "payload_too_large",
          "idempotency_mismatch",
          "rate_limited",
          "generation_failed",
          "generation_unavailable",
          "server_stopping",
        ]),
      },
    },
  },
  "/api/images/{generationId}/{index}": {
    get: {
      operationId: "getImage",
      summary: "Get a generated image that was returned as a data URL; works for a day",
      description:
        "For the owner. Pages and the account's export have this address in place of the data URL.",
      requestParams: {
        path: z.object({
          generationId: z.uuid(),
          index: z
            .int()
            .min(0)
            .max(MAX_IMAGES - 1)
            .meta({ description: "Place among the generation's images, from 0." }),
        }),
      },
      responses: {
        200: { description: "The image.", content: PICTURE },
        304: { description: "The image named by `If-None-Match` is still there." },
        ...problemResponses(["unauthenticated", "image_not_found", "rate_limited"]),
      },
    },
  },
};
