import { runCommand } from "../lib/command";
import { describeFindings } from "./lint/finding";
import { lintMigrations } from "./lint/lint-migrations";
import { readMigrations } from "./migrations-folder";

await runCommand({
  name: "db:lint",
  usage: `Reads the migrations with squawk and names every statement that is dangerous on a database in use:
one that rewrites a table, blocks it, loses data or breaks the code that still runs. Connects to
nothing. Exit code 1 when a statement is not allowed by a comment: -- squawk-ignore <rule>, below a
comment with the reason.`,
  options: {
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, print }) {
    const files = await readMigrations(values.folder);
    const findings = lintMigrations(values, files);
    for (const line of describeFindings(values.folder, findings)) print(line);
    print(`${files.length} files: ${findings.length} dangerous statements`);
    return findings.length > 0 ? 1 : 0;
  },
});
