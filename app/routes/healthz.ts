import { apiRoute } from "~/server/api-route.server";

/** The process answers; it says nothing of what it depends on. */
const route = apiRoute({ GET: () => Response.json({ status: "ok" }) });

export const loader = route.loader;
export const action = route.action;
