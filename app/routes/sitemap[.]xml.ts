import { getEnv } from "~/env.server";
import { apiRoute } from "~/server/api-route.server";
import { constantDocument } from "~/server/constant-document.server";
import { sitemapXml } from "~/server/site-documents.server";

const document = constantDocument("application/xml; charset=utf-8", () =>
  sitemapXml(getEnv().siteUrl.origin),
);

/** Serves every page that search engines may list. */
const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
