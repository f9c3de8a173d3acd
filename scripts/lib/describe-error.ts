import { stripVTControlCharacters } from "node:util";
import { dataFreeMessage } from "~/utils/error-message";

/**
 * One line that says what went wrong: the message with those of its causes, on a single line, without
 * colour codes and without the data that it was about. It may hold a secret of the environment: pass
 * it through `redactSecrets` before showing it.
 */
export function describeError(error: unknown): string {
  return stripVTControlCharacters(messageOf(error)).replace(/\s+/g, " ").trim();
}

function messageOf(error: unknown): string {
  const own = dataFreeMessage(error);
  if (!(error instanceof Error) || error.cause === undefined) return own;
  const cause = messageOf(error.cause);
  return own.includes(cause) ? own : `${own}: ${cause}`;
}
