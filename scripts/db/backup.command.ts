import { existsSync } from "node:fs";
import { rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { recordDone } from "~/models/upkeep/job-runs.server";
import { describeError } from "~/utils/describe-error";
import { runCommand } from "../lib/command";
import { requireDirectDatabaseUrl } from "../lib/database-url";
import { withDatabase } from "../lib/with-database";
import { readArchive } from "./backup/archive";
import { databaseOf } from "./backup/libpq-environment";
import { openTools } from "./backup/postgres-tools";

await runCommand({
  name: "db:backup",
  usage: `Backs up the database in DATABASE_URL with pg_dump, consistently and while the app serves. Takes a new
file, or a folder, where it makes a name of the database and the time. Reads the finished file again, and
never overwrites one. The file holds personal data: only its owner can read it.`,
  positionals: ["file|folder"],
  async run({ positionals: [target = ""], print, warn }) {
    const databaseUrl = requireDirectDatabaseUrl();
    const file = await chooseFile(target, databaseOf(databaseUrl));
    const began = performance.now();
    const tools = await openTools(databaseUrl);
    const unfinished = `${file}.unfinished`;
    try {
      // Made first, so that nobody else can read it at any time.
      await writeFile(unfinished, "", { mode: 0o600, flag: "wx" });
      await tools.run("pg_dump", [
        ...["--format=custom", "--no-owner", "--no-privileges"],
        `--file=${unfinished}`,
      ]);
      const { tables } = await readArchive(unfinished, tools);
      await rename(unfinished, file);
      const { size } = await stat(file);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      await withDatabase((db) => recordDone("backup", db), databaseUrl).catch((error: unknown) =>
        warn(`the backup is complete; npm run status won't know of it: ${describeError(error)}`),
      );
      print(
        `${file}: ${Math.ceil(size / 1024)} kB, ${tables} tables of PostgreSQL ${tools.serverVersion}, in ${seconds} s`,
      );
    } finally {
      await rm(unfinished, { force: true });
    }
    return 0;
  },
});

async function chooseFile(target: string, database: string): Promise<string> {
  const isFolder = existsSync(target) && (await stat(target)).isDirectory();
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const file = isFolder ? path.join(target, `${database}-${time}.dump`) : target;
  for (const taken of [file, `${file}.unfinished`])
    if (existsSync(taken)) throw new Error(`${taken} exists already: nothing was overwritten`);
  return file;
}
