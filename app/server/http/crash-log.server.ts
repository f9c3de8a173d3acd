import { log } from "~/utils/logger.server";

/**
 * Ends the process on an error that nobody caught, with a log line. Node alone would print the error
 * with all of its fields, and those may hold a row of the database.
 */
export function logCrashes(): void {
  process.once("uncaughtException", (error) => {
    log().fatal({ err: error }, "the process ends: nobody caught this error");
    process.exit(1);
  });
}
