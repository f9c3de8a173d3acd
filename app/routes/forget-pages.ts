import type { LoaderFunctionArgs } from "@remix-run/node";
import { FORGET_PAGES } from "~/server/forget-pages.server";

/**
 * Loaded as an image by the page that follows a sign-out. Chromium stores the page that was left
 * for the Back button only after it has read the sign-out response's headers, so `Clear-Site-Data`
 * there comes too early. Without the header where another site asks for it: it could drop what its visitors
 * keep of this one.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const isOwn = request.headers.get("Sec-Fetch-Site") === "same-origin";
  return new Response(null, { status: 204, headers: isOwn ? FORGET_PAGES : {} });
}
