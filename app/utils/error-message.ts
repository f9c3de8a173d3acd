import { scrubText } from "~/utils/scrub-text";

/** The fields that libraries put on their errors; none of them is sure to be there. */
interface LibraryError extends Error {
  code?: unknown;
  /** zod */
  issues?: unknown;
  /** pg: an SQLSTATE has a severity. */
  severity?: unknown;
  /** Prisma */
  meta?: { driverAdapterError?: unknown };
}

/** What a driver adapter of Prisma makes of the database's error. */
interface DriverCause {
  kind?: unknown;
  originalCode?: unknown;
  originalMessage?: unknown;
}

/**
 * What an error says, without the data that it was about: fit for the log and for a column that keeps
 * the last error. Addresses, keys and the like are taken out of every text.
 */
export function errorMessage(error: unknown): string {
  return scrubText(dataFreeMessage(error));
}

/**
 * The same with our own texts as they are: for the terminal of an operator, who typed the address.
 * The messages of PostgreSQL, Prisma, zod and `JSON.parse` may quote rows, arguments and input; only
 * their fixed parts are kept.
 */
export function dataFreeMessage(error: unknown): string {
  if (!(error instanceof Error)) return thrownValue(error);
  const fixed =
    databaseMessage(error) ?? prismaMessage(error) ?? zodMessage(error) ?? runtimeMessage(error);
  return fixed || error.message || nameless(error);
}

/** What was thrown without being an error: a text, or a response. */
function thrownValue(value: unknown): string {
  if (typeof value === "string") return value;
  const { status } = (value ?? {}) as { status?: unknown };
  return typeof status === "number" ? `a response with status ${status}` : "not an error";
}

/** Connecting to a name with several addresses fails with an AggregateError whose message is empty. */
function nameless(error: LibraryError): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(dataFreeMessage))].slice(0, 5).join(", ");
  return typeof error.code === "string" ? error.code : error.name;
}

/** PostgreSQL's own error, or the one that Prisma's driver adapter made of it. */
function databaseMessage(error: LibraryError): string | null {
  const { code, severity } = error;
  if (typeof severity === "string" && typeof code === "string")
    return sqlMessage(code, error.message);
  const cause = driverCause(error);
  return cause && sqlMessage(cause.originalCode, cause.originalMessage);
}

/** The database's error inside one of Prisma's, or null: its own message is a fixed text then. */
export function driverCause(
  error: LibraryError,
): { kind: unknown; originalCode: string; originalMessage: string } | null {
  const adapterError = error.meta?.driverAdapterError ?? error;
  if (!(adapterError instanceof Error) || adapterError.name !== "DriverAdapterError") return null;
  const { kind, originalCode, originalMessage } = (adapterError.cause ?? {}) as DriverCause;
  if (typeof originalCode !== "string" || typeof originalMessage !== "string") return null;
  return { kind, originalCode, originalMessage };
}

/**
 * Class 22 (data exceptions) quotes the value at fault between double quotes, anything in it; the
 * other classes quote names alone. Rows stand in `detail`, which is never read.
 */
function sqlMessage(code: string, message: string): string {
  return code.startsWith("22") ? message.replace(/"[\s\S]*"/, '"[value]"') : message;
}

/** Their message ends with a fixed text about columns and records, and holds no values. */
const PLAIN_PRISMA_CODES =
  /^(?:P1\d{3}|P2002|P2003|P2011|P2021|P2022|P2024|P2025|P2028|P2034|P2037)$/;

function prismaMessage(error: LibraryError): string | null {
  if (!/^(?:PrismaClient|DataMapper|TransactionManager|UserFacing)/.test(error.name)) return null;
  const call = /^\s*Invalid `([^`]{1,200})` invocation/.exec(error.message)?.[1];
  const code = typeof error.code === "string" ? error.code : null;
  const isPlain = code !== null && PLAIN_PRISMA_CODES.test(code);
  const what = isPlain ? error.message.trim().split("\n").at(-1)?.trim() : null;
  const text = [call && `Invalid \`${call}\` invocation`, what ?? "refused by Prisma"];
  return `${text.filter(Boolean).join(": ")}${code ? ` (${code})` : ""}`;
}

/** Fields and what is wrong with each; a custom message may quote the input. */
function zodMessage({ name, issues }: LibraryError): string | null {
  if (!/ZodError$/.test(name) || !Array.isArray(issues)) return null;
  return issues
    .slice(0, 10)
    .map((issue: { path?: unknown[]; code?: unknown }) => {
      const path = issue.path?.map(String).join(".") || "input";
      return `${path.slice(0, 100)}: ${String(issue.code)}`;
    })
    .join(", ");
}

/** V8 quotes the text that is no JSON, and undici the header that it refuses. */
function runtimeMessage({ name, message }: Error): string | null {
  if (name === "SyntaxError" && /JSON/.test(message)) return "the text is not valid JSON";
  if (/invalid header value/i.test(message)) return "invalid header value";
  if (name === "TypeError" && /^Failed to parse URL from/.test(message)) return "invalid URL";
  return null;
}
