import { stripVTControlCharacters } from "node:util";
import { dataFreeMessage } from "~/utils/error-message";

/**
 * Returns the error's message and those of its causes on one line, without colour codes and without the
 * data involved. It may contain a secret of the environment: pass it through `redactSecrets` before
 * showing it.
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
