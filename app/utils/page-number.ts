/** More pages than anything has. */
const MAX_PAGE = 100_000;

/** Returns the page that an address asks for, from 1; 1 for anything that is no page. */
export function pageNumber(text: string | null): number {
  return Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), MAX_PAGE);
}
