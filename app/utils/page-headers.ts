import type { HeadersFunction } from "@remix-run/node";

/** Copies the headers of a page's action or error (`Retry-After`) to its document. */
export const pageHeaders: HeadersFunction = ({ actionHeaders, errorHeaders }) =>
  errorHeaders ?? actionHeaders;
