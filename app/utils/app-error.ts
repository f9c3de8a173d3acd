interface AppErrorOptions {
  /** Stable and documented; clients match on it. */
  code: string;
  status: number;
  /** What the user reads: what happened, whether they were charged, what to do next. */
  publicMessage: string;
  /** Field name → messages, for a 400 whose fields are at fault. */
  fields?: Record<string, string[]>;
  /** Further members of the problem document, such as `required` and `balance`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A fault with a fixed answer. Anything else that is thrown is unexpected: logged, and a 500. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly publicMessage: string;
  readonly fields: Record<string, string[]> | undefined;
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(options: AppErrorOptions) {
    super(`${options.code}: ${options.publicMessage}`, { cause: options.cause });
    this.name = "AppError";
    this.code = options.code;
    this.status = options.status;
    this.publicMessage = options.publicMessage;
    this.fields = options.fields;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }
}
