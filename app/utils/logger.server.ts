import pino, { type Logger, type LoggerOptions } from "pino";
import { redactFields } from "~/utils/redact-fields";
import { currentRequest } from "~/utils/request-context.server";
import { serializeError } from "~/utils/serialize-error";

let logger: Logger | undefined;

/**
 * The process's structured logger: one JSON object a line on standard output, with the request's id
 * where there is one. Log ids and counts; `docs/logging.md` says what is taken out of the rest.
 */
export function log(): Logger {
  logger ??= createLogger(pino.destination(STANDARD_OUTPUT));
  return logger;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

/** A logger of this service's lines, on any destination. */
export function createLogger(destination: pino.DestinationStream): Logger {
  const options: LoggerOptions = {
    level: "info",
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequest()?.requestId;
      return requestId ? { requestId } : {};
    },
    formatters: { log: redactFields },
    // Errors are serialized by `redactFields`, wherever they are.
    serializers: { err: (value: unknown) => value },
    hooks: {
      logMethod(args, method) {
        // Without a text pino would take the error's own message for it, as it is.
        const [first] = args as unknown[];
        if (args.length === 1 && first instanceof Error) {
          method.apply(this, [{ err: first }, serializeError(first).type]);
        } else if (args.length === 1 && typeof first === "object") {
          method.apply(this, [first, "error"]);
        } else method.apply(this, args);
      },
    },
  };
  return pino(options, destination);
}

/**
 * For commands, whose standard output is their result: what is logged from now on goes to standard
 * error, at the level given or the one in force.
 */
export function logToStandardError(level = logger?.level ?? "info"): void {
  logger = createLogger(pino.destination(STANDARD_ERROR));
  setLogLevel(level);
}

/** Sets how much is logged (`LOG_LEVEL`), once the configuration is known. */
export function setLogLevel(level: string): void {
  log().level = level;
}
