import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/api-route.server";
import { openApiDocument } from "~/server/openapi/document.server";

const route = apiRoute({ GET: () => Response.json(openApiDocument(getEnv().siteUrl)) });

export const loader = route.loader;
export const action = route.action;
