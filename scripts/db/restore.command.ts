import { existsSync } from "node:fs";
import { recordRestore } from "~/models/admin/outside-actions.server";
import { runCommand } from "../lib/command";
import { requireDirectDatabaseUrl } from "../lib/database-url";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import { inAuditLog } from "./audit-log";
import { readArchive } from "./backup/archive";
import { databaseOf } from "./backup/libpq-environment";
import { openTools } from "./backup/postgres-tools";
import { checkRestored, requireEmpty } from "./backup/restored-database";

await runCommand({
  name: "db:restore",
  usage: `Restores a file of db:backup into an empty database, with pg_restore and in one transaction: all of it or
nothing. Never writes into a database that holds anything. Then checks the migrations and every balance.
The role of DATABASE_URL has to own the empty database; docs/backups.md makes one. Exit code 0: restored,
and the ledger verifies. 1: nothing was restored, or what was restored has faults, which are printed.`,
  positionals: ["file"],
  options: {
    database: {
      type: "string",
      value: "name",
      help: "the empty database, on the server of DATABASE_URL (default: the one of DATABASE_URL)",
    },
    folder: { type: "string", value: "path", default: "prisma/migrations", help: "the .sql files" },
  },
  async run({ values, positionals: [file = ""], print }) {
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    const databaseUrl = intoDatabase(requireDirectDatabaseUrl(), values.database);
    const database = databaseOf(databaseUrl);
    await requireEmpty(databaseUrl);
    const tools = await openTools(databaseUrl);
    const archive = await readArchive(file, tools);
    print(
      `restoring ${archive.tables} tables of ${archive.database}, backed up ${archive.createdAt}`,
    );
    await tools.run("pg_restore", [
      // A role that is no superuser may not comment on what it does not own.
      ...["--no-owner", "--no-privileges", "--no-comments", "--exit-on-error"],
      ...["--single-transaction", `--dbname=${connectionTo(database)}`, file],
    ]);
    const restored = { actor: operatorActor(), backedUpAt: archive.createdAt };
    await inAuditLog(databaseUrl, (db) => recordRestore(restored, db));
    operatorEvent("db:restore", { database, backedUpAt: archive.createdAt });
    const { faults, isVerified } = await checkRestored({
      databaseUrl,
      folder: values.folder,
      print,
    });
    if (faults > 0) throw new Error(`${database} was restored, and has ${faults} faults`);
    const since = archive.createdAt.slice(0, 10);
    const steps = [
      `set DATABASE_URL to ${database}`,
      ...(isVerified ? [] : ["npm run db:migrate, then npm run ledger -- verify"]),
      "npm run preflight",
      `npm run billing -- reconcile --since ${since}, then the same with --apply`,
      "the rest of docs/backups.md: restoring a live site",
    ];
    print(`${database} is restored${isVerified ? ", and every balance adds up" : ""}. Next:`);
    for (const [at, step] of steps.entries()) print(`  ${at + 1}. ${step}`);
    return 0;
  },
});

function intoDatabase(databaseUrl: string, name: string | undefined): string {
  if (name === undefined) return databaseUrl;
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

/** The name as libpq's connection string takes it, whatever characters it has. */
function connectionTo(database: string): string {
  return `dbname='${database.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
