import { userInfo } from "node:os";
import { logToStandardError } from "~/utils/logger.server";
import { securityEvent } from "~/utils/security-event.server";

/**
 * Logs on standard error that this command changed data, and which user of the machine ran it. The audit log
 * has the same, in the transaction of the change. A command that fails says so in its error line.
 */
export function operatorEvent(
  command: string,
  { userId, ...details }: { userId?: string } & Record<string, string | number> = {},
): void {
  logToStandardError();
  securityEvent("operator_command", {
    outcome: "success",
    userId,
    details: { command, operator: operatorName(), ...details },
  });
}

/** Who acts by this command, as in the audit log. */
export function operatorActor(): string {
  return `operator:${operatorName()}`;
}

/** The user of the machine that runs this command. A container's user may have a number but no name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
