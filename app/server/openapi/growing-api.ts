import { z } from "zod";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import { growingBody } from "~/server/metering/growing-body";
import type { ApiPart } from "~/server/openapi/api-part";
import { growingResultSchema } from "~/server/openapi/growing-result";
import { runOperation } from "~/server/openapi/run-operation";

interface GrowingApi {
  /** The heading. */
  name: string;
  /** The name of the response's schema. */
  schema: string;
  path: string;
  operationId: string;
  summary: string;
  responseDescription: string;
}

/** The API of an action whose result grows. */
export function growingApi(
  { schema, table }: GrowingAction,
  { name, path, responseDescription, ...own }: GrowingApi,
): ApiPart {
  const usage = Object.fromEntries(Object.keys(table.usage).map((kind) => [kind, z.int()]));
  const response = z
    .object({
      runId: z.uuid(),
      ...growingResultSchema.shape,
      usage: z.object(usage),
      creditsCharged: z.int(),
      balance: z.int().meta({ description: "What can be spent afterwards, in credits." }),
    })
    .meta({ id: own.schema });
  const { operationId, summary } = own;
  const request = growingBody(schema);
  return {
    name,
    description:
      'With `"stream": true` or `Accept: text/event-stream` the text comes while it is written, as the events `run` (`runId`, `creditsReserved`), `delta` (`text`), `done` (the response without `text`), or `error` (a problem document). Leave the stream to end the text: you pay for what was written.',
    paths: {
      [path]: {
        post: runOperation({ operationId, summary, request, response, responseDescription }),
      },
    },
  };
}
