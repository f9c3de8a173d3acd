/** A statement that is dangerous on a database in use, or an exception comment without a reason. */
export interface Finding {
  file: string;
  /** From 1. */
  line: number;
  rule: string;
  /** The danger, and the safe alternative. */
  text: string;
}

/** One line per finding, in the form that editors link: `<folder>/<file>:<line>: <rule>: …`. */
export function describeFindings(folder: string, findings: Finding[]): string[] {
  return findings.map(
    ({ file, line, rule, text }) => `${folder}/${file}:${line}: ${rule}: ${text}`,
  );
}
