/** A statement that is dangerous on a database in use, or a comment that hides one without a reason. */
export interface Finding {
  /** The file's name. */
  file: string;
  /** From 1. */
  line: number;
  rule: string;
  /** The danger, and the safe way. */
  text: string;
}

/** One line per finding, in the form that editors link: `<folder>/<file>:<line>: <rule>: …`. */
export function describeFindings(folder: string, findings: Finding[]): string[] {
  return findings.map(
    ({ file, line, rule, text }) => `${folder}/${file}:${line}: ${rule}: ${text}`,
  );
}
