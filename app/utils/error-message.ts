import { scrubText } from "~/utils/scrub-text";

/** Fields that libraries put on their errors; any of them may be missing. */
interface LibraryError extends Error {
  code?: unknown;
  /** zod */
  issues?: unknown;
  /** pg: errors with an SQLSTATE have a severity. */
  severity?: unknown;
  /** Prisma */
  meta?: { driverAdapterError?: unknown };
}

/** Prisma's driver adapter's form of a database error. */
interface DriverCause {
  kind?: unknown;
  originalCode?: unknown;
  originalMessage?: unknown;
}

/**
 * An error's message without the data it concerns, safe for the log and for a column that keeps the
 * last error. Addresses, keys and the like are removed from every text.
 */
export function errorMessage(error: unknown): string {
  return scrubText(dataFreeMessage(error));
}

/**
 * The same, but with our own texts unchanged: for the terminal of an operator, who typed the address.
 * Messages of PostgreSQL, Prisma, zod and `JSON.parse` may quote rows, arguments and input, so only
 * their fixed parts are kept.
 */
export function dataFreeMessage(error: unknown): string {
  if (!(error instanceof Error)) return thrownValue(error);
  const fixed =
    databaseMessage(error) ?? prismaMessage(error) ?? zodMessage(error) ?? runtimeMessage(error);
  return fixed || error.message || nameless(error);
}

/** The text for a thrown value that is not an Error: a string or a Response. */
function thrownValue(value: unknown): string {
  if (typeof value === "string") return value;
  const { status } = (value ?? {}) as { status?: unknown };
  return typeof status === "number" ? `a response with status ${status}` : "not an error";
}

/** Connecting to a name with several addresses throws an AggregateError with an empty message. */
function nameless(error: LibraryError): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(dataFreeMessage))].slice(0, 5).join(", ");
  return typeof error.code === "string" ? error.code : error.name;
}

/** PostgreSQL's own error, or Prisma's driver adapter's form of it. */
function databaseMessage(error: LibraryError): string | null {
  const { code, severity } = error;
  if (typeof severity === "string" && typeof code === "string")
    return sqlMessage(code, error.message);
  const cause = driverCause(error);
  return cause && sqlMessage(cause.originalCode, cause.originalMessage);
}

/** The database error inside a Prisma error, or null. If there is one, Prisma's own message is a fixed text. */
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
 * Class 22 errors (data exceptions) quote the faulty value, which may be anything, in double quotes.
 * Other classes quote only names. Rows appear in `detail`, which is never read.
 */
function sqlMessage(code: string, message: string): string {
  const [first, last] = [message.indexOf('"'), message.lastIndexOf('"')];
  if (!code.startsWith("22") || first === last) return message;
  return `${message.slice(0, first)}"[value]"${message.slice(last + 1)}`;
}

/** These messages end with a fixed text about columns and records, and contain no values. */
const PLAIN_PRISMA_CODES =
  /^(?:P1\d{3}|P2002|P2003|P2011|P2021|P2022|P2024|P2025|P2028|P2034|P2037)$/;

function prismaMessage(error: LibraryError): string | null {
  const unreachable = unreachableMessage(error);
  if (unreachable) return unreachable;
  if (!/^(?:PrismaClient|DataMapper|TransactionManager|UserFacing)/.test(error.name)) return null;
  const call = /^\s*Invalid `([^`]{1,200})` invocation/.exec(error.message)?.[1];
  const code = typeof error.code === "string" ? error.code : null;
  const isPlain = code !== null && PLAIN_PRISMA_CODES.test(code);
  const what = isPlain ? error.message.trim().split("\n").at(-1)?.trim() : null;
  const text = [call && `Invalid \`${call}\` invocation`, what ?? "refused by Prisma"];
  return `${text.filter(Boolean).join(": ")}${code ? ` (${code})` : ""}`;
}

/** Kinds of the driver adapter's errors that say why there is no connection. Their fields hold no data. */
const UNREACHABLE: Record<string, string> = {
  DatabaseNotReachable: "the database server cannot be reached",
  AuthenticationFailed: "the database refuses the user or the password",
  DatabaseDoesNotExist: "the database does not exist",
  DatabaseAccessDenied: "the database refuses this user",
  TlsConnectionError: "the database's TLS connection failed",
  ConnectionClosed: "the database closed the connection",
  SocketTimeout: "the database does not respond",
};

function unreachableMessage({ meta }: LibraryError): string | null {
  const adapterError = meta?.driverAdapterError;
  if (!(adapterError instanceof Error)) return null;
  const { kind, host, port } = (adapterError.cause ?? {}) as Record<string, unknown>;
  const text = typeof kind === "string" ? UNREACHABLE[kind] : undefined;
  if (!text) return null;
  return typeof host === "string" ? `${text} at ${host}${port ? `:${port}` : ""}` : text;
}

/** The fields and what is wrong with each. A custom message may quote the input, so it is left out. */
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

/** V8 quotes text that isn't JSON, and undici quotes a header it refuses. */
function runtimeMessage({ name, message }: Error): string | null {
  if (name === "SyntaxError" && /JSON/.test(message)) return "the text is not valid JSON";
  if (/invalid header value/i.test(message)) return "invalid header value";
  if (name === "TypeError" && /^Failed to parse URL from/.test(message)) return "invalid URL";
  return null;
}
