import pino, { type Logger, type LoggerOptions } from "pino";
import { currentRequestId } from "~/utils/request-context.server";

/** Never logged, wherever it stands in a logged object (one and two levels deep). */
const SECRET_FIELDS = [
  "authorization",
  "cookie",
  "password",
  "token",
  "secret",
  "apiKey",
  "prompt",
  "email",
  "url",
  "uploadUrl",
];

let logger: Logger | undefined;

/**
 * The process's structured logger: one JSON object a line on standard output, with the request's id
 * where there is one. Log ids and counts; prompts, addresses, tokens and signed URLs are redacted.
 */
export function log(): Logger {
  logger ??= createLogger(STANDARD_OUTPUT);
  return logger;
}

const STANDARD_OUTPUT = 1;
const STANDARD_ERROR = 2;

function createLogger(descriptor: number): Logger {
  const options: LoggerOptions = {
    level: "info",
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: "[redacted]",
    },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId ? { requestId } : {};
    },
    serializers: { err: pino.stdSerializers.err },
  };
  return pino(options, pino.destination(descriptor));
}

/** For commands, whose standard output is their answer: what is logged from now on goes beside it. */
export function logToStandardError(level: string): void {
  logger = createLogger(STANDARD_ERROR);
  setLogLevel(level);
}

/** Sets how much is logged (`LOG_LEVEL`), once the configuration is known. */
export function setLogLevel(level: string): void {
  log().level = level;
}
