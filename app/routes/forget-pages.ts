import { FORGET_PAGES } from "~/server/forget-pages.server";

/**
 * Loaded, as a picture, by the page that a sign-out led to. Chromium puts the page that is left aside
 * for the Back button only after it has read the answer's headers, so that theirs come too early.
 */
export function loader() {
  return new Response(null, { status: 204, headers: FORGET_PAGES });
}
