/**
 * Errors that came from the database's own connection. Their words and codes look like those of any other
 * connection, so their origin tells them apart.
 */
const noted = new WeakSet<Error>();

/** The system's codes for a connection that breaks or can't be made. ENOENT: no server has made its Unix socket. */
const SYSTEM_CODES = new Set([
  ...["EAI_AGAIN", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EHOSTDOWN", "EHOSTUNREACH"],
  ...["ENETDOWN", "ENETUNREACH", "ENOENT", "ENOTFOUND", "EPIPE", "ETIMEDOUT"],
]);

/** node-postgres gives no code where a connection ends without an error. These are all of its sentences for it. */
const DRIVER_SENTENCES = new Set([
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
]);

/**
 * PostgreSQL's codes when it ends a session or begins none: shut down, crashed, starting up, the database
 * dropped, idle for too long, a transaction idle or open for too long.
 */
const SESSION_ENDED = new Set(["57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04"]);

/** Kinds of Prisma's driver adapter, and the codes that Prisma's client makes of them. */
const ADAPTER_KINDS = new Set(["ConnectionClosed", "DatabaseNotReachable", "SocketTimeout"]);
const PRISMA_CODES = new Set(["P1001", "P1002", "P1008", "P1017"]);

/**
 * Notes that an error came from the database's connection, if it says that the connection broke or can't be made.
 * @returns the error, to be thrown
 */
export function noteConnectionError(error: unknown): unknown {
  if (error instanceof Error && SYSTEM_CODES.has(text(error, "code"))) noted.add(error);
  return error;
}

/** Notes an error that ended a connection: the statements that were under way fail with the same error. */
export function noteLostConnection(error: Error): void {
  noted.add(error);
}

/**
 * Whether an error says that the database can't be reached: it is down, restarts, or cut the connection.
 *
 * Prisma wraps the error of a statement. At COMMIT it passes on what its adapter or node-postgres throws
 * (client 7, `TransactionManager`), and where a ROLLBACK fails, the error that asked for it.
 */
export function isDatabaseAway(error: Error): boolean {
  if (noted.has(error) || DRIVER_SENTENCES.has(driverSentence(error))) return true;
  if ("severity" in error) return endsSession(error);
  const cause = adapterCause(error);
  if (cause) return ADAPTER_KINDS.has(text(cause, "kind")) || endsSession(cause);
  const code = text(error, "code");
  return (
    error.name.startsWith("PrismaClient") && (PRISMA_CODES.has(code) || SYSTEM_CODES.has(code))
  );
}

/**
 * Returns the sentence of node-postgres or its pool that an error passes on: all of the message of their own plain errors,
 * and the last line of Prisma's, after the call. Empty for errors of other kinds: the message of a store's or a
 * provider's error is text from outside, and may end with the same words.
 */
export function driverSentence({ name, message }: Error): string {
  if (name === "Error") return message;
  return name.startsWith("PrismaClient") ? (message.trim().split("\n").at(-1)?.trim() ?? "") : "";
}

/** The fields of PostgreSQL's error, by node-postgres or inside the driver adapter's. */
function endsSession(fields: object): boolean {
  const code = text(fields, "originalCode") || text(fields, "code");
  // PgBouncer ends sessions with 08P01. PostgreSQL's own 08P01 is an error of one statement.
  const isPooler = code.startsWith("08") && text(fields, "severity") === "FATAL";
  return isPooler || SESSION_ENDED.has(code);
}

/** The fields of what the driver adapter says, in its own error or in the one that Prisma's client made of it. */
function adapterCause(error: Error): object | null {
  const inner = "meta" in error ? field(error.meta, "driverAdapterError") : error;
  if (!(inner instanceof Error) || inner.name !== "DriverAdapterError") return null;
  return typeof inner.cause === "object" ? inner.cause : null;
}

function text(holder: object, name: string): string {
  const value = field(holder, name);
  return typeof value === "string" ? value : "";
}

function field(holder: unknown, name: string): unknown {
  return typeof holder === "object" && holder !== null ? Reflect.get(holder, name) : undefined;
}
