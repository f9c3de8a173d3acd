import type { Params } from "@remix-run/react";
import { isUuid } from "~/utils/uuid";

/** Returns the `$userId` of the path. @throws Response 404 for a text that is no id */
export function requireUserParam({ userId }: Params): string {
  if (userId !== undefined && isUuid(userId)) return userId;
  throw new Response(null, { status: 404 });
}
