/** Size a piece must reach before it is sent. */
const PIECE_CHARACTERS = 16 * 1024;

/**
 * The JSON text of a value. Any part may be an async iterable, which is written as an array, one
 * element per line, fetched on demand. Only the current piece is in memory.
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

/** Whether JSON.stringify would write the object member by member; for a Date, it would not. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}
