import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/request/api-route.server";
import { constantDocument } from "~/server/site/constant-document.server";
import { robotsTxt } from "~/server/site/site-documents.server";

export const handle: PageHandle = { sameForAll: true };

const document = constantDocument("text/plain; charset=utf-8", () =>
  robotsTxt(getEnv().siteUrl.origin),
);

/** Serves the rules for crawlers (RFC 9309). */
const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
