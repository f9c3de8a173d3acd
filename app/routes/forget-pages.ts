import { FORGET_PAGES } from "~/server/forget-pages.server";

/**
 * Loaded as an image by the page that follows a sign-out. Chromium stores the page that was left
 * for the Back button only after it has read the sign-out response's headers, so `Clear-Site-Data`
 * there comes too early.
 */
export function loader() {
  return new Response(null, { status: 204, headers: FORGET_PAGES });
}
