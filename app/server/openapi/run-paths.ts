import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { jsonResponse, problemResponses } from "~/server/openapi/problem-responses";
import { actionSchema, runSchema, runsSchema } from "~/server/openapi/run-responses";

export const runPaths: ZodOpenApiPathsObject = {
  "/api/runs": {
    get: {
      operationId: "listRuns",
      summary: "List the account's runs, newest first",
      description:
        "In a list, an image that only its owner may open has the address that signs a new URL.",
      requestParams: {
        query: z.object({
          action: actionSchema.optional(),
          cursor: z.string().optional().meta({ description: "The `nextCursor` of a page." }),
        }),
      },
      responses: {
        200: jsonResponse("One page.", runsSchema),
        ...problemResponses(["invalid_input", "unauthenticated"]),
      },
    },
  },
  "/api/runs/{runId}": {
    get: {
      operationId: "getRun",
      summary: "Get a run: whether it is done, what it made and what it cost",
      description:
        "With `Accept: text/event-stream` a text's run sends the text from its beginning, and goes on while it is written: the events are those of `generateText`.",
      requestParams: { path: z.object({ runId: z.uuid() }) },
      responses: {
        200: jsonResponse("The run as it stands.", runSchema),
        ...problemResponses(["unauthenticated", "run_not_found"]),
      },
    },
  },
};
