import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { ZodOpenApiResponsesObject } from "zod-openapi";

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
      .meta({ description: "By field, what is wrong with it." }),
  })
  .meta({ id: "Problem" });

/** Returns the error responses of an operation, from its error codes by status. */
export function problemAnswers(codes: Record<number, string[]>): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(codes).map(([status, names]) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${names.map((name) => `\`${name}\``).join(", ")}`,
        content: { "application/problem+json": { schema: problemSchema } },
      },
    ]),
  );
}

/** Returns a successful response in JSON. */
export function jsonAnswer(description: string, schema: z.ZodType) {
  return { description, content: { "application/json": { schema } } };
}
