import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { openApiDocument } from "~/server/openapi/document.server";
import { apiRoute } from "~/server/request/api-route.server";
import { constantJson } from "~/server/site/constant-document.server";

export const handle: PageHandle = { sameForAll: true };

const document = constantJson(() => openApiDocument(getEnv().siteUrl));

const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
export const action = route.action;
