import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { mapOperations } from "~/server/openapi/map-operations";
import { problemResponses } from "~/server/openapi/problem-responses";
import type { ErrorCode } from "~/utils/error-codes";

const ANY: ErrorCode[] = [
  "invalid_host",
  "invalid_target",
  "method_not_allowed",
  "target_too_long",
  "internal_error",
];
const STATE_CHANGING: ErrorCode[] = [...ANY, "cross_origin"];

/** Adds the responses that any request can get to every operation. */
export function withCommonResponses(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation, method) =>
    withResponses(operation, problemResponses(method === "get" ? ANY : STATE_CHANGING)),
  );
}

function withResponses(
  operation: ZodOpenApiOperationObject,
  common: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = { ...operation.responses };
  for (const [status, response] of Object.entries(common) as [
    `${400}`,
    { description: string },
  ][]) {
    const own = responses[status] as { description: string } | undefined;
    const codes = response.description.slice(response.description.indexOf("`"));
    responses[status] = own ? { ...own, description: `${own.description}, ${codes}` } : response;
  }
  return { ...operation, responses };
}
