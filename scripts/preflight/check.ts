import type { CheckId } from "./check-ids";

export type CheckStatus = "pass" | "fail" | "warn" | "skip";

/** One line of the report. */
export interface Check {
  /** Stable: scripts rely on it. Its first part is the group. */
  id: CheckId;
  status: CheckStatus;
  /** The result; for a skipped check, the reason. */
  message: string;
  /** The remedy; null if there is nothing to do. */
  action: string | null;
  /** Its problems one by one, where it found several; `message` and `action` join them. */
  findings?: Finding[];
}

/** A problem that a check found. */
export interface Finding {
  status: "fail" | "warn";
  message: string;
  action: string;
}

export const pass = (id: CheckId, message: string): Check => ({
  id,
  status: "pass",
  message,
  action: null,
});

export const skip = (id: CheckId, message: string): Check => ({
  id,
  status: "skip",
  message,
  action: null,
});

export const fault = (message: string, action: string): Finding => ({
  status: "fail",
  message,
  action,
});

export const warning = (message: string, action: string): Finding => ({
  status: "warn",
  message,
  action,
});

const CORRECT = "correct the value, or unset it";

/** Splits a configuration error into its message, before the colon, and the action after it. */
export function toFinding(status: Finding["status"], sentence: string): Finding {
  const [, message = sentence, action = CORRECT] = /^(.*?): (.*)$/s.exec(sentence) ?? [];
  return { status, message, action };
}

/** Makes one check of all findings, as bad as the worst; `otherwise` if there are none. */
export function conclude(id: CheckId, findings: Finding[], otherwise: Check): Check {
  return findings.length > 0 ? found(id, findings) : otherwise;
}

/** Makes one check of at least one finding. */
export function found(id: CheckId, findings: Finding[]): Check {
  const actions = [...new Set(findings.flatMap(({ action }) => action || []))];
  return {
    id,
    status: findings.some(({ status }) => status === "fail") ? "fail" : "warn",
    message: findings.map(({ message }) => message).join("; "),
    action: actions.length > 0 ? actions.join("; ") : null,
    ...(findings.length > 1 ? { findings } : {}),
  };
}
