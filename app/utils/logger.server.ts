import cluster from "node:cluster";
import pino, { type Logger, type LoggerOptions } from "pino";
import { count } from "~/utils/metrics.server";
import { redactFields } from "~/utils/redact-fields";
import { currentRequest } from "~/utils/request-context.server";
import { serializeError } from "~/utils/serialize-error";

let logger: Logger | undefined;

/**
 * The process's structured logger. It writes one JSON object per line to standard output, with the
 * request's id if there is one. Log ids and counts; `docs/logging.md` lists what is redacted.
 */
export function log(): Logger {
  logger ??= createLogger(pino.destination(STANDARD_OUTPUT));
  return logger;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

const COUNTED_LEVELS: Record<number, string> = { 40: "warn", 50: "error", 60: "fatal" };

/** A logger with this service's line format, for any destination. */
export function createLogger(destination: pino.DestinationStream): Logger {
  const options: LoggerOptions = {
    level: "info",
    // One of several server processes says which one it is.
    base: cluster.isWorker ? { pid: process.pid } : undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequest()?.requestId;
      return requestId ? { requestId } : {};
    },
    formatters: { log: redactFields },
    // `redactFields` serializes errors, under any field name.
    serializers: { err: (value: unknown) => value },
    hooks: {
      logMethod(args, method, level) {
        const name = COUNTED_LEVELS[level];
        if (name) count("rcs_log_lines_total", { level: name });
        // Without a text pino would use the error's own message unchanged.
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
 * For commands, whose standard output is their result: sends all later log lines to standard error, at
 * the given or current level.
 */
export function logToStandardError(level = logger?.level ?? "info"): void {
  logger = createLogger(pino.destination(STANDARD_ERROR));
  setLogLevel(level);
}

/** Sets the log level (`LOG_LEVEL`), once the configuration is known. */
export function setLogLevel(level: string): void {
  log().level = level;
}
