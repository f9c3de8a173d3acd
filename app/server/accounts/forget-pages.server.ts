/**
 * Makes the browser drop the pages it kept. Sent with the response that signs a user out, and again
 * by `/forget-pages`. Cookies are left out, since the site has others than the session's.
 */
export const FORGET_PAGES = { "Clear-Site-Data": '"cache", "storage"' };

/** Values of `done` in the address of a page that follows a sign-out. */
const SIGNED_OUT = ["signed-out", "deleted"];

/** Whether the page at this address has to load `/forget-pages`. */
export function forgetsPages(url: string): boolean {
  return SIGNED_OUT.includes(new URL(url).searchParams.get("done") ?? "");
}
