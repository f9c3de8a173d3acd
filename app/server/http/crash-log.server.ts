import { log } from "~/utils/logger.server";

/**
 * Logs an uncaught error and ends the process. Node alone would print the error with all its
 * fields, which may hold a database row.
 */
export function logCrashes(): void {
  process.once("uncaughtException", (error) => {
    log().fatal({ err: error }, "the process ends: nobody caught this error");
    process.exit(1);
  });
}
