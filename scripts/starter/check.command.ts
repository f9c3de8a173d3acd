import { writeFileSync } from "node:fs";
import { runCommand } from "../lib/command";
import type { Check } from "./checks/check";
import { checkGenerated } from "./checks/check-generated";
import { checkLockfile } from "./checks/check-lockfile";
import { checkMigrations } from "./checks/check-migrations";
import { checkSnapshot } from "./checks/check-snapshot";
import { checkVersion } from "./checks/check-version";
import { JOURNAL, recordMigrations } from "./journal";
import { folderTree } from "./tree";

await runCommand({
  name: "starter:check",
  usage: `Checks that the project is consistent: version and changelog agree, every migration is in the journal
and unedited, the schema is what the migrations lead to, generated files and the lockfile are current.
Exit code 1 when a check fails.`,
  options: {
    write: { type: "boolean", help: `first record new migrations in ${JOURNAL}` },
    json: { type: "boolean", help: "print one JSON object" },
  },
  async run({ values, print, warn }) {
    const tree = folderTree(".");
    if (values.write) {
      const { text, added } = recordMigrations(tree);
      writeFileSync(JOURNAL, text);
      for (const name of added) warn(`recorded ${name}`);
    }
    const checks = [
      checkVersion(tree),
      checkMigrations(tree),
      checkSnapshot(tree),
      checkGenerated(tree),
      checkLockfile(tree),
    ];
    const failed = checks.filter(({ status }) => status === "fail").length;
    if (values.json) print(JSON.stringify({ passed: failed === 0, checks }));
    else for (const line of describe(checks, failed)) print(line);
    return failed === 0 ? 0 : 1;
  },
});

function describe(checks: Check[], failed: number): string[] {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return [
    ...checks.flatMap(({ id, status, lines }) =>
      lines.map((line) => `${status}  ${id.padEnd(width)}  ${line}`),
    ),
    failed > 0 ? `${failed} of ${checks.length} checks failed` : "all checks passed",
  ];
}
