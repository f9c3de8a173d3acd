import { redactSecrets } from "../lib/redact";
import type { Check, CheckStatus } from "./check";

export interface Report {
  /** Whether nothing failed; warnings don't count. */
  ok: boolean;
  counts: Record<CheckStatus, number>;
  checks: Check[];
}

/**
 * Makes the report safe to show. Redacts messages one by one before they become JSON, because JSON
 * escapes would hide a secret with a quote in it. Ids are ours and stay unchanged.
 */
export function createReport(
  checks: Check[],
  environment: Record<string, string | undefined>,
): Report {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  return {
    ok: count("fail") === 0,
    counts: { pass: count("pass"), fail: count("fail"), warn: count("warn"), skip: count("skip") },
    checks: checks.map((check) => ({
      ...check,
      message: redactSecrets(check.message, environment),
      action: check.action && redactSecrets(check.action, environment),
      ...(check.findings && {
        findings: check.findings.map(({ status, message, action }) => ({
          status,
          message: redactSecrets(message, environment),
          action: redactSecrets(action, environment),
        })),
      }),
    })),
  };
}

/** Formats the report for a terminal, with a blank line between groups. */
export function formatReport({ checks, counts }: Report): string[] {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const lines = listGroups(checks).flatMap((group, at) => [
    ...(at > 0 ? [""] : []),
    ...shorten(group).flatMap((check) => formatCheck(check, width)),
  ]);
  const { pass, fail, warn, skip } = counts;
  return [...lines, "", `${fail} failed, ${warn} warned, ${pass} passed, ${skip} skipped`];
}

/** Each finding is followed by its own remedy, and one for several by the remedy they share. */
function formatCheck({ id, status, message, action, findings }: Line, width: number): string[] {
  const indent = "".padEnd(width + 8);
  const parts = findings ?? [{ message, action }];
  return parts.flatMap((part, at) => {
    const head = at === 0 ? `${status}  ${id.padEnd(width)}  ` : indent;
    const isShared = part.action === parts[at + 1]?.action;
    return [
      `${head}${part.message}`,
      ...(part.action && !isShared ? [`${indent}→ ${part.action}`] : []),
    ];
  });
}

function listGroups(checks: Check[]): Check[][] {
  const groups = new Map<string, Check[]>();
  for (const check of checks) {
    const name = groupOf(check);
    groups.set(name, [...(groups.get(name) ?? []), check]);
  }
  return [...groups.values()];
}

type Line = Omit<Check, "id"> & { id: string };

/** A group that was skipped for one reason becomes one line. */
function shorten(group: Check[]): Line[] {
  const [first] = group;
  if (!first || group.length === 1) return group;
  const isAlike = group.every(
    ({ status, message }) => status === "skip" && message === first.message,
  );
  return isAlike ? [{ ...first, id: `${groupOf(first)}.*` }] : group;
}

const groupOf = ({ id }: Check) => id.split(".")[0] ?? id;
