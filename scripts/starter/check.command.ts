import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runCommand } from "../lib/command";
import type { Check } from "./checks/check";
import { checkGenerated } from "./checks/check-generated";
import { checkJournal } from "./checks/check-journal";
import { checkLockfile } from "./checks/check-lockfile";
import { checkMigrations } from "./checks/check-migrations";
import { checkVersion } from "./checks/check-version";
import { findLocalChanges, type LocalChanges, readManifest } from "./manifest";
import { CHECKSUMS_FILE, recordChecksums } from "./migration-checksums";
import { folderTree } from "./tree";

await runCommand({
  name: "starter:check",
  usage: `Checks that the project is consistent: version and changelog agree, no migration was edited, journal
and migrations match, generated files and the lockfile are current. Also lists the starter's files that
you changed, deleted or added, which is fine. Exit code 1 when a check fails.`,
  options: {
    write: { type: "boolean", help: `first record new migrations in ${CHECKSUMS_FILE}` },
    json: { type: "boolean", help: "print one JSON object" },
  },
  async run({ values, print, warn }) {
    const tree = folderTree(".");
    const manifest = readManifest(tree);
    if (values.write) {
      const { text, notes } = recordChecksums(tree, manifest);
      mkdirSync(path.dirname(CHECKSUMS_FILE), { recursive: true });
      writeFileSync(CHECKSUMS_FILE, text);
      for (const note of notes) warn(note);
    }
    const checks = [
      checkVersion(tree, manifest),
      checkMigrations(tree),
      checkJournal(tree),
      checkGenerated(tree),
      checkLockfile(tree),
    ];
    const changes = findLocalChanges(tree, manifest);
    const passed = checks.every(({ status }) => status !== "fail");
    if (values.json) print(JSON.stringify({ passed, version: manifest.version, checks, changes }));
    else for (const line of describe(checks, changes, manifest.version)) print(line);
    return passed ? 0 : 1;
  },
});

function describe(checks: Check[], changes: LocalChanges, version: string): string[] {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const files = (["changed", "deleted", "added"] as const).flatMap((kind) =>
    changes[kind].map((file) => `  ${kind.padEnd(7)}  ${file}`),
  );
  const failed = checks.filter(({ status }) => status === "fail").length;
  return [
    ...checks.flatMap(({ id, status, lines }) =>
      lines.map((line) => `${status}  ${id.padEnd(width)}  ${line}`),
    ),
    `${changes.changed.length} changed, ${changes.deleted.length} deleted, ${changes.added.length} added since the starter's ${version}`,
    ...files,
    failed > 0 ? `${failed} of ${checks.length} checks failed` : "all checks passed",
  ];
}
