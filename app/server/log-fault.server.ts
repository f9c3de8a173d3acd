import type { AppError } from "~/utils/app-error";
import { log } from "~/utils/logger.server";

/**
 * Logs an AppError that something else caused, if it is no fault of the visitor's. Without a cause nothing failed: anyone
 * can make the server busy, or ask for what is off.
 */
export function logFault(error: AppError): void {
  const { status, code, cause } = error;
  if (status >= 500 && cause !== undefined) log().error({ err: error, code }, "request failed");
}
