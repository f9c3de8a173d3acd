import type { PageHandle } from "~/components/page-handle";
import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/request/api-route.server";
import { constantDocument } from "~/server/site/constant-document.server";
import { sitemapXml } from "~/server/site/site-documents.server";

export const handle: PageHandle = { sameForAll: true };

const document = constantDocument("application/xml; charset=utf-8", () =>
  sitemapXml(getEnv().siteUrl.origin),
);

/** Serves every page that search engines may list. */
const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
