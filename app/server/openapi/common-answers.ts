import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { mapOperations } from "~/server/openapi/map-operations";
import { problemAnswers } from "~/server/openapi/problem-answers";
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
export function withCommonAnswers(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation, method) =>
    withAnswers(operation, problemAnswers(method === "get" ? ANY : STATE_CHANGING)),
  );
}

function withAnswers(
  operation: ZodOpenApiOperationObject,
  common: ZodOpenApiResponsesObject,
): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = { ...operation.responses };
  for (const [status, answer] of Object.entries(common) as [`${400}`, { description: string }][]) {
    const own = responses[status] as { description: string } | undefined;
    const codes = answer.description.slice(answer.description.indexOf("`"));
    responses[status] = own ? { ...own, description: `${own.description}, ${codes}` } : answer;
  }
  return { ...operation, responses };
}
