import type { LoaderFunctionArgs } from "@remix-run/node";
import { FORGET_PAGES } from "~/server/forget-pages.server";

/** Values of `Sec-Fetch-Site` that a page of another origin causes. */
const FOREIGN = ["cross-site", "same-site"];

/**
 * Loaded as an image by the page that follows a sign-out. Chromium stores the page that was left
 * for the Back button only after it has read the sign-out response's headers, so `Clear-Site-Data`
 * there comes too early. Another site's page can't empty this site's storage with it.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const isForeign = FOREIGN.includes(request.headers.get("Sec-Fetch-Site") ?? "");
  return new Response(null, { status: 204, headers: isForeign ? {} : FORGET_PAGES });
}
