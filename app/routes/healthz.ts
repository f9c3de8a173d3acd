import { apiRoute } from "~/server/request/api-route.server";

/** The process responds; says nothing about its dependencies. */
const route = apiRoute({ GET: () => ({ status: "ok" }) });

export const loader = route.loader;
export const action = route.action;
