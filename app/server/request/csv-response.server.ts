import { pacedBody } from "~/server/request/paced-body.server";
import { type CsvCell, csvPieces } from "~/utils/csv.server";

interface Table {
  /** The name of the file. */
  filename: string;
  head: string[];
  rows: AsyncGenerator<CsvCell[]>;
}

/** Sends a table as a CSV file. Its rows are read while it is sent. */
export function csvResponse(
  { filename, head, rows }: Table,
  reader: Parameters<typeof pacedBody>[1],
): Response {
  return new Response(pacedBody(csvPieces(head, rows), reader), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${filename}"`,
      // Not compressed either: see pacedBody.
      "Cache-Control": "no-store, no-transform",
    },
  });
}
