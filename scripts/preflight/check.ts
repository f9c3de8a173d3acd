import type { CheckId } from "./check-ids";

export type CheckStatus = "pass" | "fail" | "warn" | "skip";

/** One line of the report. */
export interface Check {
  /** Stable; what scripts may rely on. Its first part is the group. */
  id: CheckId;
  status: CheckStatus;
  /** What is so; for a skipped check, why it was not made. */
  message: string;
  /** What to do; null where there is nothing to do. */
  action: string | null;
}

/** Something that is not as it should be. */
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

/** A sentence of the configuration, which says what is wrong, a colon, and what to do. */
export function toFinding(status: Finding["status"], sentence: string): Finding {
  const [, message = sentence, action = CORRECT] = /^(.*?): (.*)$/s.exec(sentence) ?? [];
  return { status, message, action };
}

/** One check out of all that was found: as bad as the worst of it, or `otherwise` if there is none. */
export function conclude(id: CheckId, findings: Finding[], otherwise: Check): Check {
  return findings.length > 0 ? found(id, findings) : otherwise;
}

/** One check out of at least one finding. */
export function found(id: CheckId, findings: Finding[]): Check {
  const actions = [...new Set(findings.flatMap(({ action }) => action || []))];
  return {
    id,
    status: findings.some(({ status }) => status === "fail") ? "fail" : "warn",
    message: findings.map(({ message }) => message).join("; "),
    action: actions.length > 0 ? actions.join("; ") : null,
  };
}
