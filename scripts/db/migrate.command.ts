import { recordMigrations } from "~/models/admin/outside-actions.server";
import { runCommand, secondsOption, UsageError } from "../lib/command";
import { requireDirectDatabaseUrl } from "../lib/database-url";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import { inAuditLog } from "./audit-log";
import { baselineDatabase } from "./baseline";
import { type MigrateResult, migrateDatabase } from "./migrate";

await runCommand({
  name: "db:migrate",
  usage: `Applies the pending migrations to the database in DATABASE_URL, in the byte order of their names,
and stops at the first that fails. Where DATABASE_URL leads through a pooler, DIRECT_DATABASE_URL has
the database's own address. docs/migrations.md explains every refusal.`,
  options: {
    "dry-run": { type: "boolean", help: "print what would be applied, and change nothing" },
    strict: { type: "boolean", help: "refuse a new file that sorts before the last applied one" },
    "allow-missing": { type: "boolean", help: "continue if an applied file is missing" },
    baseline: {
      type: "string",
      value: "file",
      help: "record the files up to this one without running them, if the database matches them",
    },
    scratch: {
      type: "string",
      value: "name",
      help: "with --baseline: an empty database on the same server to compare with",
    },
    "lock-timeout": {
      type: "string",
      value: "seconds",
      default: "5",
      help: "how long a statement may wait for a lock; 0 is unlimited",
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
    if (values.scratch !== undefined && values.baseline === undefined) {
      throw new UsageError("--scratch is for --baseline");
    }
    if (values.baseline !== undefined) {
      const names = await baselineDatabase({
        databaseUrl: requireDirectDatabaseUrl(),
        folder: values.folder,
        upTo: values.baseline,
        scratch: values.scratch,
        dryRun: values["dry-run"],
        lockWaitMs: secondsOption("lock-wait", values["lock-wait"]),
        onProgress: print,
      });
      if (!values["dry-run"]) {
        await record(names, "recorded");
        operatorEvent("db:migrate --baseline", { recorded: names.length, upTo: values.baseline });
      }
      for (const line of describeBaseline(names, values["dry-run"])) print(line);
      return 0;
    }
    const result = await migrateDatabase({
      lockTimeoutMs: secondsOption("lock-timeout", values["lock-timeout"]),
      lockWaitMs: secondsOption("lock-wait", values["lock-wait"]),
      databaseUrl: requireDirectDatabaseUrl(),
      folder: values.folder,
      dryRun: values["dry-run"],
      strict: values.strict,
      allowMissing: values["allow-missing"],
      onProgress: print,
    });
    if (result.status === "applied") {
      await record(result.applied, "applied");
      operatorEvent("db:migrate", { applied: result.applied.join(", ") });
    }
    for (const line of describeResult(result)) print(line);
    return 0;
  },
});

function record(names: string[], how: "applied" | "recorded"): Promise<void> {
  const actor = operatorActor();
  return inAuditLog(requireDirectDatabaseUrl(), (db) =>
    recordMigrations({ actor, names, how }, db),
  );
}

function describeBaseline(names: string[], dryRun = false): string[] {
  const verb = dryRun ? "would record" : "recorded";
  const end = dryRun ? "nothing was changed" : "run db:migrate for the files after them";
  return [...names.map((name) => `${verb} ${name}`), `${names.length} files: ${end}`];
}

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
