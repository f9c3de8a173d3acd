import type { PageHandle } from "~/components/page-handle";
import { apiRoute } from "~/server/request/api-route.server";
import { constantDocument } from "~/server/site/constant-document.server";
import { webManifest } from "~/server/site/site-documents.server";

export const handle: PageHandle = { sameForAll: true };

const document = constantDocument("application/manifest+json", () => JSON.stringify(webManifest()));

/** Serves the name, icons and colours of the site where somebody installs it. */
const route = apiRoute({ GET: () => document() });

export const loader = route.loader;
