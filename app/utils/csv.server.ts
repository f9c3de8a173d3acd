/** A cell: a text, a number, or nothing. */
export type CsvCell = string | number | null;

/** Characters that make a spreadsheet read a text as a formula, full-width ones too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Returns one line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an
 * apostrophe in front, which makes it a text there. Numbers stay numbers.
 */
export function csvLine(cells: CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Marks the file as UTF-8 for spreadsheets that would guess another encoding. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Size that a piece must reach before it is sent. */
const PIECE_CHARACTERS = 16 * 1024;

/** Returns a CSV file in pieces. Rows are fetched while it is read; only one piece is in memory. */
export async function* csvPieces(
  head: string[],
  rows: AsyncIterable<CsvCell[]>,
): AsyncGenerator<string> {
  let piece = BYTE_ORDER_MARK + csvLine(head);
  for await (const row of rows) {
    piece += csvLine(row);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}
