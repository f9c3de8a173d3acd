import { createHmac } from "node:crypto";
import { getEnv } from "~/env.server";
import { log } from "~/utils/logger.server";
import { currentRequest } from "~/utils/request-context.server";
import type { SecurityEventName } from "~/utils/security-events";

interface SecurityEvent {
  outcome: "success" | "failure";
  /** The account concerned, if known. */
  userId?: string | undefined;
  /** The email address concerned. Only a keyed fingerprint of it is logged. */
  email?: string;
  sessionId?: string;
  /** The reason for a failure, or a detail of the event: a short snake_case word. */
  reason?: string;
  /** Logs a failure as an error: an operator has to act on it. */
  isError?: boolean;
  /** More facts, none of them personal: a rule's name, a count, a command. */
  details?: Record<string, string | number | boolean>;
}

/**
 * Logs one security event as a line with the field `event`. Inside a request the line carries the
 * request id, the network and, once the session was read, the user. Failures are logged as warnings, or as errors.
 * Every LOG_LEVEL logs both.
 */
export function securityEvent(name: SecurityEventName, event: SecurityEvent): void {
  const { outcome, email, reason, details } = event;
  const request = currentRequest();
  // An event that names an account is about that account, regardless of who is signed in.
  const isNamed = Boolean(event.userId || email);
  const userId = event.userId ?? (isNamed ? undefined : request?.userId);
  const sessionId =
    event.sessionId ?? (isNamed && userId !== request?.userId ? undefined : request?.sessionId);
  const line = {
    event: name,
    outcome,
    ...(request?.network ? { network: request.network } : {}),
    ...(userId ? { userId } : {}),
    ...(email ? { account: accountFingerprint(email) } : {}),
    ...(sessionId ? { sessionId } : {}),
    ...(reason ? { reason } : {}),
    ...details,
  };
  // Logged at every LOG_LEVEL: an investigation needs the successes as much as the failures.
  const logger = log().child({}, { level: "info" });
  if (outcome === "success") logger.info(line, "security event");
  else if (event.isError) logger.error(line, "security event");
  else logger.warn(line, "security event");
}

/**
 * Identifies an email address in the log without revealing it: the same address gives the same text
 * under one AUTH_SECRET.
 */
function accountFingerprint(email: string): string {
  return createHmac("sha256", getEnv().authSecret)
    .update(`log:${email.trim().toLowerCase()}`)
    .digest("base64url")
    .slice(0, 22);
}
