import { z } from "zod";
import type { ApiPart } from "~/server/openapi/api-part";
import { runOperation } from "~/server/openapi/run-operation";
import { finishReasonSchema } from "~/server/openapi/text-responses";
import { textRequestSchema } from "~/services/text/text-request";

const textSchema = z
  .object({
    runId: z.uuid(),
    text: z.string(),
    finishReason: finishReasonSchema.nullable().meta({ description: "Null once you deleted it." }),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
    creditsCharged: z.int(),
    balance: z.int().meta({ description: "What can be spent afterwards, in credits." }),
  })
  .meta({ id: "Text" });

export const textApi: ApiPart = {
  name: "Texts",
  description:
    'With `"stream": true` or `Accept: text/event-stream` the text comes while it is written, as the events `run` (`runId`, `creditsReserved`), `delta` (`text`), `done` (the response without `text`), or `error` (a problem document). Leave the stream to end the text: you pay for what was written.',
  paths: {
    "/api/generate-text": {
      post: runOperation({
        operationId: "generateText",
        summary: "Write a text, paid with credits by the token",
        request: textRequestSchema,
        response: textSchema,
        responseDescription: "Tokens of the prompt and of the text are charged alike.",
      }),
    },
  },
};
