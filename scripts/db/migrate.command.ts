import { runCommand, secondsOption } from "../lib/command";
import { requireDatabaseUrl } from "../lib/database-url";
import { type MigrateResult, migrateDatabase } from "./migrate";

await runCommand({
  name: "db:migrate",
  usage: `Applies the migrations that the database in DATABASE_URL has not had yet, in the byte order of
their names, and stops at the first that fails. docs/migrations.md explains every refusal.`,
  options: {
    "dry-run": { type: "boolean", help: "print what would be applied, and change nothing" },
    strict: { type: "boolean", help: "refuse a new file that sorts before the last applied one" },
    "allow-missing": { type: "boolean", help: "go on when an applied file is no longer there" },
    "lock-timeout": {
      type: "string",
      value: "seconds",
      default: "5",
      help: "how long a statement may wait for a lock; 0 is for ever",
    },
    "lock-wait": {
      type: "string",
      value: "seconds",
      default: "60",
      help: "how long to wait for another run on the same database",
    },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, print }) {
    const result = await migrateDatabase({
      lockTimeoutMs: secondsOption("lock-timeout", values["lock-timeout"]),
      lockWaitMs: secondsOption("lock-wait", values["lock-wait"]),
      databaseUrl: requireDatabaseUrl(),
      folder: values.folder,
      dryRun: values["dry-run"],
      strict: values.strict,
      allowMissing: values["allow-missing"],
      onProgress: print,
    });
    for (const line of describeResult(result)) print(line);
    return 0;
  },
});

function describeResult(result: MigrateResult): string[] {
  switch (result.status) {
    case "up-to-date":
      return ["nothing to apply: the database is up to date"];
    case "applied":
      return [`done: ${result.applied.length} applied`];
    case "dry-run":
      return [
        ...result.warnings.map((warning) => `warning: ${warning}`),
        ...result.pending.map((name) => `would apply ${name}`),
        `${result.pending.length} to apply; nothing was changed`,
      ];
  }
}
