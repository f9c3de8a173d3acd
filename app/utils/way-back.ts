import { z } from "zod";
import { safeRedirect } from "~/utils/safe-redirect";

/** Characters of a way back. It stands in cookies, rows, mails and links, so it has to be short. */
export const MAX_WAY_BACK = 1_000;

/** The page to go to afterwards, as a path on this site; undefined for any other value. */
export function readWayBack(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_WAY_BACK) return undefined;
  const path = safeRedirect(value, "");
  // Longer than it was sent if its letters had to be escaped.
  return path !== "" && path.length <= MAX_WAY_BACK ? path : undefined;
}

/** The `redirectTo` of a form. One that leads nowhere here is dropped: it isn't the form's fault. */
export const wayBack = z.string().optional().catch(undefined).transform(readWayBack);

/** Returns the address of the page that says that a mail was sent. It keeps the way back. */
export function sentPath(page: string, redirectTo: string | undefined): string {
  return `${page}?sent${redirectTo ? `&${new URLSearchParams({ redirectTo })}` : ""}`;
}

/** The `redirectTo` of a request's address. */
export function wayBackOf({ url }: Request): string | undefined {
  return readWayBack(new URL(url).searchParams.get("redirectTo"));
}
