import type { PageHandle } from "~/components/page-handle";
import { apiRoute } from "~/server/request/api-route.server";

export const handle: PageHandle = { sameForAll: true };

/** The process responds; says nothing about its dependencies. */
const route = apiRoute({ GET: () => ({ status: "ok" }) });

export const loader = route.loader;
export const action = route.action;
