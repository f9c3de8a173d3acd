import type { ZodOpenApiPathsObject } from "zod-openapi";
import type { Example, Examples } from "~/server/openapi/examples/example";
import { imageExamples } from "~/server/openapi/examples/image-examples";
import { otherExamples } from "~/server/openapi/examples/other-examples";
import { paymentExamples } from "~/server/openapi/examples/payment-examples";
import { storageExamples } from "~/server/openapi/examples/storage-examples";
import { textExamples } from "~/server/openapi/examples/text-examples";
import { mapOperations } from "~/server/openapi/map-operations";

/** By the operation's id. */
export const EXAMPLES: Examples = {
  ...storageExamples,
  ...imageExamples,
  ...textExamples,
  ...paymentExamples,
  ...otherExamples,
};

/** Adds its examples to each operation. An example has the same name at the request and at the response. */
export function withExamples(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation) => {
    const own = Object.entries(EXAMPLES[operation.operationId ?? ""] ?? {});
    const bodies = own.flatMap(([name, { body }]) => (body ? [[name, body] as const] : []));
    const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => [
      status,
      withValues(response, responsesOf(own, Number(status))),
    ]);
    return {
      ...operation,
      requestBody: withValues(operation.requestBody, bodies),
      responses: Object.fromEntries(responses),
    };
  });
}

const responsesOf = (examples: [string, Example][], wanted: number) =>
  examples.flatMap(([name, { status, response }]) =>
    status === wanted ? [[name, response] as const] : [],
  );

/** Puts the values into the first media type of a body. */
function withValues<Body>(body: Body, values: (readonly [name: string, value: object])[]): Body {
  const [media] = Object.entries((body as { content?: Record<string, object> })?.content ?? {});
  if (!media || values.length === 0) return body;
  const [type, described] = media;
  const examples = Object.fromEntries(values.map(([name, value]) => [name, { value }]));
  return { ...body, content: { [type]: { ...described, examples } } };
}
