/** The beginning of an API key, as pages show it, which is no secret. */
const SHOWN = 12;

/** HTML's `pattern`: a browser sends nothing that is more of an API key than its beginning. */
export const SEARCHABLE = "(?!rcs_[a-z]{1,9}_[0-9a-z]{4}).*";
const MORE_OF_KEY = /rcs_[a-z]{1,9}_[0-9a-z]{4}/i;

/** The query of the page that says so. */
export const REFUSED = "refused=key";

/**
 * The text that an admin searches for. `isKey` if it is more of an API key than its beginning: then nothing is searched for.
 * `wasKey` on the page that says so.
 */
export function readSearch(request: Request) {
  const { search, searchParams } = new URL(request.url);
  const wasKey = search === `?${REFUSED}`;
  const text = searchParams.get("q")?.trim().slice(0, 300) ?? "";
  // Pages show the beginning with three dots after it.
  const query = text.replace(/(?:…|\.\.\.)$/, "");
  const isKey = query.length > SHOWN && MORE_OF_KEY.test(query);
  return { query: isKey ? "" : query, isKey, wasKey };
}
