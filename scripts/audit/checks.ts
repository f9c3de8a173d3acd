import { type Accepted, judgeAdvisories, listExpired, listSevereAdvisories } from "./advisories";
import type { NpmReply } from "./npm-reply";
import { listMissingComponents, listPackages } from "./sbom";
import { listSignatureFaults } from "./signatures";

export interface Outcome {
  status: "passed" | "failed" | "unreachable";
  /** For a person. At least one line, unless it passed with nothing to report. */
  lines: string[];
}

function outcome(faults: string[], otherwise: string[]): Outcome {
  return faults.length > 0
    ? { status: "failed", lines: faults }
    : { status: "passed", lines: otherwise };
}

const unreachable = (what: string, reason: string): Outcome => ({
  status: "unreachable",
  lines: [`${what}: not checked, because the registry did not respond: ${reason}`],
});

/** Needs no registry: an expired exception fails everywhere. */
export function checkExpiry(list: Accepted[], now: Date): Outcome {
  const expired = listExpired(list, now.toISOString().slice(0, 10));
  const faults = expired.map(
    ({ id, package: name, reviewBy }) =>
      `accepted: ${id} in ${name} was to be reviewed by ${reviewBy}: remove it, or write down why it may stay until when`,
  );
  return outcome(faults, []);
}

export function checkAdvisories(reply: NpmReply, list: Accepted[]): Outcome {
  if (reply.status === "unreachable") return unreachable("advisories", reply.reason);
  const { refused, accepted, unused } = judgeAdvisories(listSevereAdvisories(reply.value), list);
  const notes = [
    ...accepted.map(
      ({ id, package: name, reviewBy }) =>
        `advisories: ${id} in ${name} is accepted until ${reviewBy}`,
    ),
    ...unused.map(
      ({ id, package: name }) => `advisories: ${id} in ${name} is gone: it need not be accepted`,
    ),
  ];
  const faults = refused.map(
    ({ id, package: name, severity, title }) =>
      `advisories: ${id} in ${name} (${severity}): ${title}`,
  );
  if (faults.length > 0) return { status: "failed", lines: [...notes, ...faults] };
  return {
    status: "passed",
    lines: [...notes, "advisories: no unaccepted one of severity high or critical"],
  };
}

export function checkSignatures(reply: NpmReply): Outcome {
  if (reply.status === "unreachable") return unreachable("signatures", reply.reason);
  const { invalid, missing } = listSignatureFaults(reply.value);
  const faults = [
    ...invalid.map((name) => `signatures: ${name} is not what was published: do not run it`),
    ...missing.map((name) => `signatures: ${name} is not signed by the registry`),
  ];
  return outcome(faults, ["signatures: every package matches its published version"]);
}

export function checkBom(bom: unknown, lockfile: unknown, file: string): Outcome {
  const missing = listMissingComponents(bom, lockfile);
  return outcome(
    missing.map((name) => `sbom: ${name} is in package-lock.json and not in ${file}`),
    [`sbom: ${listPackages(lockfile).length} packages in ${file}`],
  );
}
