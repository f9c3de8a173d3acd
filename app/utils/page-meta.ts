import type { MetaFunction } from "@remix-run/node";

/**
 * The `meta` of a page whose URL contains a secret: keeps the URL out of the `Referer` of later
 * requests.
 */
export const secretLinkMeta: MetaFunction = () => [{ name: "referrer", content: "strict-origin" }];
