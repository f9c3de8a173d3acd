import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import type { ApiPart } from "~/server/openapi/api-part";
import { generationSchema } from "~/server/openapi/image-responses";
import { problemResponses } from "~/server/openapi/problem-responses";
import { runOperation } from "~/server/openapi/run-operation";
import { generationRequestSchema } from "~/services/images/generation-request";
import { MAX_IMAGES } from "~/services/images/image-limits";

const PICTURE = { "image/png": {}, "image/jpeg": {}, "image/webp": {}, "image/gif": {} };

const paths: ZodOpenApiPathsObject = {
  "/api/generate-image": {
    post: runOperation({
      operationId: "generateImage",
      summary: "Generate 1 to 4 images, paid with credits",
      request: generationRequestSchema,
      response: generationSchema,
      responseDescription: "Fewer images than asked for are charged as such.",
      errors: ["run_delayed"],
    }),
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
        ...problemResponses(["unauthenticated", "image_not_found"]),
      },
    },
  },
};

export const imageApi: ApiPart = {
  name: "Images",
  description:
    "Images are charged before the provider is called, and refunded if it fails. The URL of one that is not `persisted` is the provider's own and ends within hours, or it is a data URL.",
  paths,
};
