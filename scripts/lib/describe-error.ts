import { stripVTControlCharacters } from "node:util";

/**
 * One line that says what went wrong: the message with those of its causes, on a single line and
 * without colour codes. Not redacted: pass it through `redactSecrets` before showing it.
 */
export function describeError(error: unknown): string {
  return stripVTControlCharacters(messageOf(error)).replace(/\s+/g, " ").trim();
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Connecting to a name with several addresses fails with an AggregateError whose message is empty.
  const own =
    error instanceof AggregateError && !error.message
      ? [...new Set(error.errors.map(messageOf))].join(", ")
      : error.message || (error as NodeJS.ErrnoException).code || error.name;
  if (error.cause === undefined) return own;
  const cause = messageOf(error.cause);
  return own.includes(cause) ? own : `${own}: ${cause}`;
}
