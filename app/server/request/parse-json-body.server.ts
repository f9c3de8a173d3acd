import { AppError } from "~/utils/app-error";

/** None of our JSON bodies has more fields. Each field costs time in every check. */
const MAX_FIELDS = 100;

/**
 * Commas and opening brackets, including those inside strings: the longest prompt may consist of
 * them. Parsing a megabyte of them takes a hundred times as long as counting them.
 */
const MAX_SEPARATORS = 25_000;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Parses a JSON body. @throws AppError 400 invalid_input */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (countSeparators(bytes) > MAX_SEPARATORS) throw tooManyFields();
  const value = parse(bytes);
  const isObject = typeof value === "object" && value !== null;
  if (isObject && Object.keys(value).length > MAX_FIELDS) throw tooManyFields();
  return value;
}

function countSeparators(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  }
  return count;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError({
      code: "invalid_input",
      publicMessage: "The body isn't valid JSON. Send a JSON object.",
      cause,
    });
  }
}

function tooManyFields(): AppError {
  return new AppError({
    code: "invalid_input",
    publicMessage: `The body has too many fields. Nothing was changed. Send at most ${MAX_FIELDS}.`,
  });
}
