import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/request/api-route.server";
import { constantDocument } from "~/server/site/constant-document.server";
import { llmsTxt } from "~/server/site/llms-txt.server";

export const handle: PageHandle = { sameForAll: true };

const document = constantDocument("text/plain; charset=utf-8", () => llmsTxt(getEnv().siteUrl));

/** Serves a guide to the site for language models (llmstxt.org). */
const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
