/** The beginning of an API key, as pages show it, which is no secret. */
const SHOWN = 12;

/** More of an API key than its beginning, where a word begins: `mercs_live_long@example.com` is an address. */
const MORE_OF_KEY = /(?<![0-9a-z])rcs_(?:live|test)_[0-9a-z]{4}/i;
/** So much of one that no word has it by chance, wherever it stands. */
const MOST_OF_KEY = /rcs_(?:live|test)_[0-9a-z]{20}/i;

const holdsKey = (text: string): boolean => MORE_OF_KEY.test(text) || MOST_OF_KEY.test(text);

/** HTML's `pattern`: a browser sends nothing that is more of an API key than its beginning. The server refuses all spellings. */
export const SEARCHABLE = "(?!(?:.*[^0-9A-Za-z])?rcs_(?:live|test)_[0-9a-z]{4}).*";

/** The query of the page that says so. */
export const REFUSED = "refused=key";

/** Whether a value of an address's query is more of an API key than its beginning. */
export const hasKey = ({ searchParams }: URL): boolean => [...searchParams.values()].some(holdsKey);

/**
 * The text that an admin searches for. `isKey` if it is more of an API key than its beginning: then nothing is searched for.
 * `wasKey` on the page that says so. PostgreSQL takes no NUL in a text, and nobody has one in an address or an id.
 */
export function readSearch(request: Request) {
  const { search, searchParams } = new URL(request.url);
  const wasKey = search === `?${REFUSED}`;
  const text = searchParams.get("q")?.replaceAll("\0", "").trim().slice(0, 300) ?? "";
  // Pages show the beginning with three dots after it.
  const query = text.replace(/(?:…|\.\.\.)$/, "");
  const isKey = query.length > SHOWN && holdsKey(query);
  return { query: isKey ? "" : query, isKey, wasKey };
}
