import type { HeadersFunction } from "@remix-run/node";

/** Lets the headers that a page's action or error answered (`Retry-After`) reach its document. */
export const pageHeaders: HeadersFunction = ({ actionHeaders, errorHeaders }) =>
  errorHeaders ?? actionHeaders;
