import { driverCause } from "~/utils/error-message";

/** PostgreSQL's codes for a deadlock and for a serialization failure. */
const CONFLICTS = ["40P01", "40001"];

/** Whether PostgreSQL ended the work because of another transaction: it may pass if it is tried again. */
export function isTransactionConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Prisma's own code for both.
  if ("code" in error && error.code === "P2034") return true;
  const cause = driverCause(error);
  return cause !== null && CONFLICTS.includes(cause.originalCode);
}
