/** A request to our HTTP interface in a document, with its response there. */
export interface HttpSample {
  file: string;
  line: number;
  method: string;
  /** Path and query as sent, including placeholders. */
  target: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string | null;
  answer: { line: number; status: number; contentType: string | null; body: string | null } | null;
}
