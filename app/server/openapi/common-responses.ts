import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { scopesAt } from "~/server/api-keys/key-routes";
import { ROUTE_LIMITS } from "~/server/limits/route-limits";
import { mapOperations } from "~/server/openapi/map-operations";
import { problemResponses } from "~/server/openapi/problem-responses";
import type { ErrorCode } from "~/utils/error-codes";

const ANY: ErrorCode[] = [
  "invalid_host",
  "invalid_target",
  "method_not_allowed",
  "target_too_long",
  "internal_error",
  "busy",
];
const STATE_CHANGING: ErrorCode[] = [...ANY, "cross_origin", "outcome_unknown"];

/** Adds the responses that any request can get to every operation. */
export function withCommonResponses(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation, { method }) => {
    const codes = method === "get" ? ANY : STATE_CHANGING;
    const ofBody: ErrorCode[] = operation.requestBody ? ["request_timeout"] : [];
    return withResponses(operation, problemResponses([...codes, ...ofBody]));
  });
}

/** Adds the response to too many requests to every operation that has a limit. */
export function withRateLimits(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation, { method, address }) => {
    const limit = ROUTE_LIMITS[`${method.toUpperCase()} ${address}`];
    return limit && "limits" in limit
      ? withResponses(operation, problemResponses(["rate_limited"]))
      : operation;
  });
}

/** Says of every operation that takes API keys which scopes open it, and adds the responses to wrong keys. */
export function withApiKeys(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  return mapOperations(paths, (operation, { method, address }) => {
    const scopes = scopesAt({ method: method.toUpperCase(), path: address });
    if (scopes.length === 0) return operation;
    const names = scopes.map((scope) => `\`${scope}\``).join(" or ");
    return {
      ...withResponses(operation, problemResponses(["invalid_api_key", "key_not_allowed"])),
      description: [operation.description, `API keys need the scope ${names}.`].join(" ").trim(),
      security: [{ session: [] }, { apiKey: [] }],
    };
  });
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
