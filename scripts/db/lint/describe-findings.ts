import type { Finding } from "./lint-migrations";

/** One line each, in the form that editors make a link of: `<folder>/<file>:<line>: <rule>: …`. */
export function describeFindings(folder: string, findings: Finding[]): string[] {
  return findings.map(({ file, line, rule, text, allowed }) => {
    const what = allowed === null ? text : `allowed, because ${allowed}`;
    return `${folder}/${file}:${line}: ${rule}: ${what}`;
  });
}
