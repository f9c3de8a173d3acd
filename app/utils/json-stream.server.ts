/** What a piece is grown to before it is sent. */
const PIECE_CHARACTERS = 16 * 1024;

/**
 * JSON text of a value in which any part may be an async iterable, written as an array whose
 * elements are asked for one by one, each on a line. Nothing is held but the piece being made.
 */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  let piece = "";
  for await (const text of tokens(value)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

async function* tokens(value: unknown): AsyncGenerator<string> {
  if (isAsyncIterable(value)) yield* arrayTokens(value);
  else if (isPlainObject(value)) yield* objectTokens(value);
  else yield JSON.stringify(value) ?? "null";
}

async function* arrayTokens(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = "\n";
  yield "[";
  for await (const row of rows) {
    yield separator + JSON.stringify(row);
    separator = ",\n";
  }
  yield "]";
}

async function* objectTokens(object: object): AsyncGenerator<string> {
  let separator = "\n";
  yield "{";
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(key)}: `;
    yield* tokens(value);
    separator = ",\n";
  }
  yield "\n}";
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** An object that JSON.stringify would write member by member; a Date, for one, is not. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}
