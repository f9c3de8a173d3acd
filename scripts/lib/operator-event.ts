import { userInfo } from "node:os";
import { logToStandardError } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";

type Details = Record<string, string | number | boolean>;

/**
 * Logs on standard error that this command changed data, and which user of the machine ran it; with
 * `outcome` failure that it failed on the way. Nothing else keeps who adjusted a balance.
 */
export function operatorEvent(
  command: string,
  {
    userId,
    outcome = "success",
    ...details
  }: { userId?: string; outcome?: "success" | "failure" } & Details = {},
): void {
  logToStandardError();
  securityEvent("operator_command", {
    outcome,
    userId,
    details: { command, operator: operatorName(), ...details },
  });
}

/** A container's user may have a number and no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
