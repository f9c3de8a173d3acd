import { problemResponse } from "~/server/request/problem-response.server";

/** Returns 404 for any address below /api that isn't a route. */
export function loader() {
  return problemResponse({
    code: "not_found",
    detail: "There's nothing at this address. /api/openapi.json lists every route.",
  });
}

export const action = loader;
