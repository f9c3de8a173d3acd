import type { HeadersFunction } from "@remix-run/node";

/** Copies the headers of a page's action or error, and its loader's `Retry-After`, to its document. */
export const pageHeaders: HeadersFunction = ({ actionHeaders, errorHeaders, loaderHeaders }) => {
  const headers = new Headers(errorHeaders ?? actionHeaders);
  const retryAfter = loaderHeaders.get("Retry-After");
  if (retryAfter) headers.set("Retry-After", retryAfter);
  return headers;
};
