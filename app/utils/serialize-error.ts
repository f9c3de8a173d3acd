import { driverCause, errorMessage } from "~/utils/error-message";

/** The only fields of an error that are logged. */
export interface SerializedError {
  type: string;
  code?: string;
  message: string;
  /** The type and the message, then the stack frames. */
  stack?: string;
  modelName?: string;
  constraint?: string;
  /** The database's own code (SQLSTATE), and the name Prisma's driver adapter gives it. */
  driverCode?: string;
  driverKind?: string;
  cause?: SerializedError;
}

/** Nested causes logged at most; a longer chain adds nothing, and a cycle ends. */
const DEPTH = 4;
const NAME = /^[\w$.:-]{1,100}$/;

/**
 * An error as it appears in the log: the fields above and nothing else. Libraries put requests, rows,
 * responses and headers on their errors; any field they add later is left out too.
 */
export function serializeError(error: unknown, depth = DEPTH): SerializedError {
  const message = errorMessage(error);
  if (!(error instanceof Error)) return { type: typeof error, message };
  const type = typeOf(error);
  const frames = framesOf(error);
  const { cause } = error;
  return {
    type,
    ...named("code", field(error, "code")),
    message,
    ...(frames ? { stack: `${type}: ${message}\n${frames}` } : {}),
    ...databaseFacts(error),
    ...(cause instanceof Error && depth > 0 ? { cause: serializeError(cause, depth - 1) } : {}),
  };
}

function typeOf(error: Error): string {
  const own = error.name === "Error" || error.name === "error" ? "" : error.name;
  const type = own || error.constructor.name;
  return NAME.test(type) ? type : "Error";
}

/** The stack's lines with a location; the lines before them repeat the message. */
function framesOf({ stack, message }: Error): string {
  if (typeof stack !== "string") return "";
  return stack
    .replace(message, "")
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at ") && endsWithLocation(line))
    .join("\n");
}

function endsWithLocation(line: string): boolean {
  return /:\d{1,9}\)?$/.test(line) || line.endsWith("(<anonymous>)") || line.endsWith("(native)");
}

function databaseFacts(error: Error): Partial<SerializedError> {
  const meta = field(error, "meta");
  const driver = driverCause(error);
  const cause = field(field(meta, "driverAdapterError"), "cause");
  return {
    ...named("modelName", field(meta, "modelName")),
    ...named(
      "constraint",
      field(error, "constraint") ?? field(field(cause, "constraint"), "index"),
    ),
    ...named("driverCode", driver?.originalCode),
    ...named("driverKind", driver?.kind ?? field(cause, "kind")),
  };
}

function field(holder: unknown, name: string): unknown {
  if (typeof holder !== "object" || holder === null) return undefined;
  return (holder as Record<string, unknown>)[name];
}

/** Keeps only names and codes: text with spaces might contain anything. */
function named(name: keyof SerializedError, value: unknown): Partial<SerializedError> {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && NAME.test(text) ? { [name]: text } : {};
}
