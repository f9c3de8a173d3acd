import { runCommand } from "../lib/command";
import { describeFindings } from "./lint/describe-findings";
import { lintMigrations } from "./lint/lint-migrations";
import { readMigrations } from "./migrations-folder";

await runCommand({
  name: "db:lint",
  usage: `Reads the migrations and names every statement that is dangerous on a database in use: one that
rewrites a table, blocks it, loses data or breaks the code that still runs. Connects to nothing.
Exit code 1 when one is not allowed by a comment above it: -- lint-allow <rule>: <why>`,
  options: {
    all: { type: "boolean", help: "print the allowed ones too" },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, print }) {
    const files = await readMigrations(values.folder);
    const findings = lintMigrations(files);
    const open = findings.filter(({ allowed }) => allowed === null);
    for (const line of describeFindings(values.folder, values.all ? findings : open)) print(line);
    const allowed = findings.length - open.length;
    print(`${files.length} files: ${open.length} dangerous, ${allowed} allowed`);
    return open.length > 0 ? 1 : 0;
  },
});
