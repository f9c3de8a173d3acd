import { useLocation, useParams } from "@remix-run/react";

/**
 * Returns the address of the page without its language, with its query: `/pricing?period=year`. Empty for
 * a page that doesn't exist: it has no translation, and looks the same at every address.
 */
export function useHere(): string {
  const { pathname, search } = useLocation();
  const isNotFound = useParams()["*"] !== undefined;
  if (isNotFound) return "";
  const rest = pathname.split("/").slice(2).join("/");
  return `${rest ? `/${rest}` : ""}${search}`;
}
