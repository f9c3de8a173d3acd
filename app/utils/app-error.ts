import { driverSentence, isDatabaseAway } from "~/utils/database-away";
import { ERROR_STATUS, type ErrorCode } from "~/utils/error-codes";

interface AppErrorOptions {
  /** Its HTTP status is in the table of codes. */
  code: ErrorCode;
  /** The text shown to the user: what happened, whether they were charged, what to do next. */
  publicMessage: string;
  /** Field name → messages, for a 400 caused by fields. */
  fields?: Record<string, string[]>;
  /** Extra members of the problem document, such as `required` and `balance`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An expected fault with a fixed response. Any other thrown value is unexpected: logged, and a 500. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The code's HTTP status. */
  readonly status: number;
  readonly publicMessage: string;
  readonly fields: Record<string, string[]> | undefined;
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(options: AppErrorOptions) {
    super(`${options.code}: ${options.publicMessage}`, { cause: options.cause });
    this.name = "AppError";
    this.code = options.code;
    this.status = ERROR_STATUS[options.code];
    this.publicMessage = options.publicMessage;
    this.fields = options.fields;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }
}

/** The sentence of pg's pool if all connections stay in use. */
const NO_FREE_CONNECTION = "timeout exceeded when trying to connect";

/**
 * Returns the AppError of an expected fault: the error itself, or `busy` if the database had no free connection, or none at
 * all. Clients and payment providers then come again. `outcome_unknown` if the database was lost while something may have
 * been changed: the commit's answer may be all that was lost.
 */
export function asAppError(
  error: unknown,
  { mayChange = false }: { mayChange?: boolean } = {},
): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const isAway = isDatabaseAway(error);
  if (!isAway && driverSentence(error) !== NO_FREE_CONNECTION) return null;
  const rest = { headers: { "Retry-After": "5" }, cause: error };
  if (isAway && mayChange)
    return new AppError({
      code: "outcome_unknown",
      publicMessage:
        "The connection to the database broke. What you asked for may have been done. Look before you send it again. A request with an Idempotency-Key can be sent again with it.",
      ...rest,
    });
  return new AppError({
    code: "busy",
    publicMessage: "The server is busy. Try again in 5 seconds.",
    ...rest,
  });
}
