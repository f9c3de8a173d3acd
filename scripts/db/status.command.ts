import { runCommand } from "../lib/command";
import { requireDirectDatabaseUrl } from "../lib/database-url";
import { getMigrationStatus, type MigrationStatus } from "./migration-status";

await runCommand({
  name: "db:status",
  usage: `Compares the migrations with those applied to the database in DATABASE_URL. Changes nothing.
Exit code 0: up to date. 1: some are pending, changed or missing, or the database cannot be read.`,
  options: {
    json: { type: "boolean", help: "print one JSON object" },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, print }) {
    const status = await getMigrationStatus(requireDirectDatabaseUrl(), values.folder);
    const isUpToDate = status.pending.length + status.changed.length + status.missing.length === 0;
    if (values.json) print(JSON.stringify({ upToDate: isUpToDate, ...listNames(status) }));
    else for (const line of describeStatus(status)) print(line);
    return isUpToDate ? 0 : 1;
  },
});

function listNames({ applied, pending, changed, missing, outOfOrder }: MigrationStatus) {
  const names = (items: { name: string }[]) => items.map(({ name }) => name);
  return {
    applied: applied.map(({ name, appliedAt }) => ({ name, appliedAt })),
    pending: names(pending),
    changed: names(changed),
    missing: names(missing),
    outOfOrder: names(outOfOrder),
  };
}

function describeStatus({
  applied,
  pending,
  changed,
  missing,
  outOfOrder,
  lastApplied,
}: MigrationStatus) {
  return [
    ...applied.map(({ name, appliedAt }) => `applied  ${name}  ${appliedAt.toISOString()}`),
    ...changed.map(({ name }) => `changed  ${name}  edited after it was applied`),
    ...missing.map(({ name }) => `missing  ${name}  applied, and not in the folder`),
    ...pending.map((file) => {
      const note = outOfOrder.includes(file)
        ? `  sorts before ${lastApplied}, already applied`
        : "";
      return `pending  ${file.name}${note}`;
    }),
    `${applied.length} applied, ${pending.length} pending, ${changed.length} changed, ${missing.length} missing`,
  ];
}
