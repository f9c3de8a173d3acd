import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/api-route.server";
import { constantJson } from "~/server/constant-document.server";
import { openApiDocument } from "~/server/openapi/document.server";

const document = constantJson(() => openApiDocument(getEnv().siteUrl));

const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
export const action = route.action;
