import { createHmac } from "node:crypto";
import { getEnv } from "~/env.server";
import { log } from "~/utils/logger.server";
import type { SecurityEventName } from "~/utils/security-events";

interface SecurityEvent {
  outcome: "success" | "failure";
  /** The account concerned, where it is known. */
  userId?: string | undefined;
  /** The address concerned. Only a keyed fingerprint of it is logged. */
  email?: string;
  sessionId?: string;
  /** Why it failed, or what exactly happened: a short snake_case word. */
  reason?: string;
  /** More facts, none of them personal: a rule's name, a count, a command. */
  details?: Record<string, string | number | boolean>;
}

/**
 * Logs one security event as a line with the field `event`. Inside a request the line carries the
 * request id, the network and, once the session was read, the user. Failures are warnings.
 */
export function securityEvent(name: SecurityEventName, event: SecurityEvent): void {
  const { outcome, userId, email, sessionId, reason, details } = event;
  const line = {
    event: name,
    outcome,
    ...(userId ? { userId } : {}),
    ...(email ? { account: accountFingerprint(email) } : {}),
    ...(sessionId ? { sessionId } : {}),
    ...(reason ? { reason } : {}),
    ...details,
  };
  if (outcome === "success") log().info(line, "security event");
  else log().warn(line, "security event");
}

/** Names an address in the log without showing it: the same address gives the same text under one AUTH_SECRET. */
export function accountFingerprint(email: string): string {
  return createHmac("sha256", getEnv().authSecret)
    .update(`log:${email.trim().toLowerCase()}`)
    .digest("base64url")
    .slice(0, 22);
}
