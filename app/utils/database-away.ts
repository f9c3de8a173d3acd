/** Errors of the connection to the database itself, which look like those of any other connection. */
const noted = new WeakSet<Error>();

/** The driver's and the system's words for a connection that can't be made or broke. */
const CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|Connection terminated|connection error/;

/**
 * Notes that an error came from the database's connection, if it is one of a connection at all.
 * @returns the error, to be thrown
 */
export function noteConnectionError(error: unknown): unknown {
  if (error instanceof Error && CONNECTION.test(`${codeOf(error)} ${error.message}`))
    noted.add(error);
  return error;
}

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** PostgreSQL: it is shutting down, was killed, or starts. */
const POSTGRES = /^57P0[123]$/;
/** Prisma: it reaches no server, or lost it. */
const PRISMA = /^P10(?:01|02|17)$/;
/** Prisma's words for what its driver says, where it gives no code. */
const WORDS =
  /57P0[123]|Can't reach database server|DatabaseNotReachable|ConnectionClosed|closed the connection|Connection terminated|ECONNREFUSED|ECONNRESET|the database system is (?:starting up|shutting down)/;

/** Whether an error says that the database can't be reached: it is down, restarts, or cut the connection. */
export function isDatabaseAway(error: Error): boolean {
  if (noted.has(error)) return true;
  const code = codeOf(error);
  if ("severity" in error) return POSTGRES.test(code);
  const isPrisma = /^(?:PrismaClient|DriverAdapter)/.test(error.name);
  return isPrisma && (PRISMA.test(code) || WORDS.test(error.message));
}
