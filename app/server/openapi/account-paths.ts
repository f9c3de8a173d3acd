import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { creditsSchema } from "~/server/openapi/credits-responses";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";

export const accountPaths: ZodOpenApiPathsObject = {
  "/api/account/credits": {
    get: {
      operationId: "getCredits",
      summary: "Get the balance, what expires next and the credit history",
      requestParams: { query: z.object({ cursor: z.string().optional() }) },
      responses: {
        200: jsonResponse("One page of the history.", creditsSchema),
        ...problemResponses(["unauthenticated"]),
      },
    },
  },
};
