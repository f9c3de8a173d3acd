import type { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/**
 * Logs a 5xx AppError with its cause as an error. No cause means an expected 5xx (busy, feature off), which
 * isn't logged.
 */
export function logFault(error: AppError): void {
  const { status, code, cause } = error;
  if (status >= 500 && cause !== undefined) log().error({ err: error, code }, "request failed");
}
