import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { ZodOpenApiResponsesObject } from "zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "~/utils/error-codes";

/** The RFC 9457 body of every error; some codes add members of their own, such as `balance`. */
const problemSchema = z
  .looseObject({
    type: z.literal("about:blank"),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "For people: what happened and what to do." }),
    code: z.string().meta({ description: "Stable; match on this." }),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: "What is wrong, by field." }),
  })
  .meta({ id: "Problem" });

/** Returns the error responses of an operation, one per status of its error codes. */
export function problemResponses(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${codes
          .filter((code) => ERROR_STATUS[code] === status)
          .map((code) => `\`${code}\``)
          .join(", ")}`,
        content: { "application/problem+json": { schema: problemSchema } },
      },
    ]),
  );
}

/** Returns a successful response in JSON. */
export function jsonResponse(description: string, schema: z.ZodType) {
  return { description, content: { "application/json": { schema } } };
}
