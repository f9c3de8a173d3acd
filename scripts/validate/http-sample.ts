/** A request to our HTTP interface as a document shows it, with the response it shows for it. */
export interface HttpSample {
  file: string;
  line: number;
  method: string;
  /** As sent: path and query, placeholders included. */
  target: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string | null;
  answer: { line: number; status: number; contentType: string | null; body: string | null } | null;
}
