import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { creditsSchema } from "~/server/openapi/credits-answers";
import { jsonAnswer, problemAnswers } from "~/server/openapi/problem-answers";

export const accountPaths: ZodOpenApiPathsObject = {
  "/api/account/credits": {
    get: {
      operationId: "getCredits",
      summary: "Get the balance, what expires next and the credit history",
      requestParams: { query: z.object({ cursor: z.string().optional() }) },
      responses: {
        200: jsonAnswer("One page of the history.", creditsSchema),
        ...problemAnswers(["unauthenticated", "rate_limited"]),
      },
    },
  },
};
