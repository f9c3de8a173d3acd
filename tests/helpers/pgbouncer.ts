import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../../scripts/lib/free-port";
import { fillIn, readDocBlock } from "./doc-blocks";
import { runProgram } from "./program";

/**
 * Runs PgBouncer in front of a database until the test ends, with the configuration of the document, and
 * returns the database's address through it, without a parameter. Each of `lines` replaces the setting
 * of the same name, or is added.
 */
export async function startPgbouncer(databaseUrl: string, lines: string[] = []): Promise<string> {
  const url = new URL(databaseUrl);
  const database = url.pathname.slice(1);
  const port = await freePort();
  const folder = await mkdtemp(path.join(os.tmpdir(), "pgbouncer-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Root may not run it, so it becomes another user, who has to read these files.
  await chmod(folder, 0o755);
  const users = path.join(folder, "userlist.txt");
  await writeFile(users, `"${url.username}" "${url.password}"\n`);
  const shown = fillIn(readDocBlock("docs/more-than-one-process.md", "ini", "[pgbouncer]"), {
    "credits = host=127.0.0.1 port=5432 dbname=credits": `${database} = host=${url.hostname} port=${url.port} dbname=${database}`,
    "listen_port = 6432": `listen_port = ${port}`,
    "/etc/pgbouncer/userlist.txt": users,
  });
  const settings = lines.reduce((text, line) => {
    const name = line.split(" ")[0];
    const known = new RegExp(`^${name} = .*$`, "m");
    return known.test(text) ? text.replace(known, line) : `${text}${line}\n`;
  }, shown);
  const file = path.join(folder, "pgbouncer.ini");
  await writeFile(file, settings);
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  await runProgram("pgbouncer", [...asUser, file], port);
  url.port = String(port);
  url.hostname = "127.0.0.1";
  return url.href;
}
