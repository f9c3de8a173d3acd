import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { connectDb } from "~/db.server";
import { createUserWith } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";
import {
  createServiceDatabase,
  findSystemPostgres,
  type SystemPostgres,
  startSystemPostgres,
} from "../../helpers/system-postgres";
import { createTestDatabase } from "../../helpers/test-database";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SCRIPTS: Record<string, string> = {
  "db:backup": "scripts/db/backup.command.ts",
  "db:restore": "scripts/db/restore.command.ts",
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "backup-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (
  command: string,
  args: string[],
  databaseUrl: string,
  PATH: string | undefined = process.env.PATH,
) => runScript(SCRIPTS[command] ?? "", args, { DATABASE_URL: databaseUrl, PATH: PATH ?? "" });

/** A folder with programs that print this version. */
function toolsOfVersion(version: string): string {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const tool of ["pg_dump", "pg_restore"]) {
    const file = path.join(bin, tool);
    writeFileSync(file, `#!/bin/sh\necho "${tool} (PostgreSQL) ${version}"\n`);
    chmodSync(file, 0o755);
  }
  return bin;
}

test("without pg_dump, or with an older one, the package to install is named and nothing is written", async () => {
  const databaseUrl = await createTestDatabase();
  const file = path.join(folder, "none.dump");
  const missing = await run("db:backup", [file], databaseUrl, folder);
  expect(missing).toMatchObject({ code: 1, stdout: "" });
  expect(missing.stderr).toMatch(
    /^db:backup: pg_dump is not installed: install postgresql-client-\d+ /,
  );
  const older = await run("db:backup", [file], databaseUrl, toolsOfVersion("9.6.1"));
  expect(older.stderr).toMatch(
    /^db:backup: pg_dump is of PostgreSQL 9 and the server is of \d+: install postgresql-client-\d+ /,
  );
  expect(existsSync(file)).toBe(false);
});

test("a file that exists is never overwritten", async () => {
  const file = path.join(folder, "kept.dump");
  writeFileSync(file, "kept");
  expect(await run("db:backup", [file], inject("postgresUrl"))).toMatchObject({
    code: 1,
    stderr: `db:backup: ${file} exists already: nothing was overwritten\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("kept");
});

test("a database that holds anything is never restored into", async () => {
  const databaseUrl = await createTestDatabase();
  const file = path.join(folder, "any.dump");
  writeFileSync(file, "any");
  const { code, stderr } = await run("db:restore", [file], databaseUrl);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^db:restore: the database test_\w+ is not empty: /);
});

const bin = findSystemPostgres();
const withServer = test.skipIf(bin === null);
if (bin === null) console.info("no PostgreSQL of this machine's own: backups are not tested");

let postgres: SystemPostgres | undefined;

async function openServer(): Promise<SystemPostgres> {
  if (postgres) return postgres;
  postgres = await startSystemPostgres(bin ?? "");
  await createServiceDatabase(postgres);
  return postgres;
}
afterAll(() => postgres?.stop());

/** The backup page's commands before the part on live sites, in order, without those of Docker, which isn't here. */
function listDocumented(): string[] {
  const page = readFileSync("docs/backups.md", "utf8");
  const rehearsal = page.slice(0, page.indexOf("## Restoring a live site"));
  return [...rehearsal.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = ""]) =>
    text
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("docker ")),
  );
}

withServer(
  "the backup page's commands, run as written by the app's role, restore every row",
  async () => {
    const { sql, url } = await openServer();
    // As in production behind a pooler: pg_dump itself refuses this parameter.
    const live = `${url("credits", "credits")}?pgbouncer=true`;
    const db = connectDb(live);
    onTestFinished(() => db.$disconnect());
    const userId = await createUserWith(db, 100, 20);

    const outputs: string[] = [];
    for (const line of listDocumented()) {
      const createdb = /^sudo -u postgres createdb --owner=(\w+) (\w+)$/.exec(line);
      if (createdb) {
        await sql(`CREATE DATABASE ${createdb[2]} OWNER ${createdb[1]}`);
        continue;
      }
      const command = /^npm run (?:--silent )?(db:\w+) -- (.*)$/.exec(line);
      if (!command) {
        expect(line).toBe("npm run preflight -- --skip online");
        continue;
      }
      const args = (command[2] ?? "")
        .replace("/var/backups/credits", folder)
        .replace(/^before-upgrade\.dump/, path.join(folder, "before-upgrade.dump"))
        .split(" ");
      const { code, stdout, stderr } = await run(command[1] ?? "", args, live);
      expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({
        line,
        code: 0,
        stderr: "",
      });
      outputs.push(stdout);
    }
    expect(outputs[0]).toMatch(
      /before-upgrade\.dump: \d+ kB, \d+ tables of PostgreSQL \d+\.\d+, in /,
    );
    expect(outputs[1]).toMatch(/credits-\d{8}T\d{6}Z\.dump: /);
    expect(outputs[2]).toContain(
      "0 pending, 0 changed, 0 missing\nledger: 1 accounts checked, no faults\n",
    );
    expect(outputs[2]).toMatch(
      / {2}\d\. npm run billing -- reconcile --since \d{4}-\d\d-\d\d, then/,
    );
    expect(statSync(path.join(folder, "before-upgrade.dump")).mode & 0o777).toBe(0o600);

    const restored = await openSession(url("credits_restored", "credits"));
    const { rows } = await restored.query("SELECT user_id, balance FROM credit_accounts");
    expect(rows).toEqual([{ user_id: userId, balance: 120 }]);
    await expect(restored.query("DELETE FROM credit_transactions")).rejects.toThrow("append-only");
    // The alert for late backups and `npm run status` read these: each backup here, and the restore there.
    const backups = listDocumented().filter((line) => line.includes("db:backup")).length;
    expect(await db.jobRun.count({ where: { job: "backup", ok: true } })).toBe(backups);
    const { rows: works } = await restored.query("SELECT ok FROM job_runs WHERE job = 'restore'");
    expect(works).toEqual([{ ok: true }]);
    // The app's role owns what it restored, and a second restore finds the database taken.
    const again = ["--database", "credits_restored"];
    const second = await run(
      "db:restore",
      [path.join(folder, "before-upgrade.dump"), ...again],
      live,
    );
    expect(second.stderr).toContain("the database credits_restored is not empty");
  },
);

withServer("a restored balance that does not add up is named, and the exit code is 1", async () => {
  const { sql, url } = await openServer();
  const live = url("credits", "credits");
  const db = connectDb(live);
  onTestFinished(() => db.$disconnect());
  const userId = await createUserWith(db, 50);
  await db.$executeRaw`UPDATE credit_accounts SET balance = 51 WHERE user_id = ${userId}::uuid`;
  const file = path.join(folder, "faulty.dump");
  await run("db:backup", [file], live);
  await db.$executeRaw`UPDATE credit_accounts SET balance = 50 WHERE user_id = ${userId}::uuid`;
  await sql("CREATE DATABASE faulty OWNER credits");
  const { code, stdout, stderr } = await run("db:restore", [file, "--database", "faulty"], live);
  expect(code).toBe(1);
  expect(stdout).toContain(`balance  user ${userId}  balance 51, amounts sum to 50, lots hold 50`);
  expect(stderr).toContain("db:restore: faulty was restored, and has 1 faults");
});

withServer("the time of a backup is UTC, wherever it is made and restored", async () => {
  const { sql, url } = await openServer();
  const live = url("credits", "credits");
  const file = path.join(folder, "far.dump");
  const before = Date.now();
  // Fourteen hours ahead of UTC: for most of the day it is already tomorrow there.
  const far = { DATABASE_URL: live, PATH: process.env.PATH ?? "", TZ: "Pacific/Kiritimati" };
  await runScript(SCRIPTS["db:backup"] ?? "", [file], far);
  await sql("CREATE DATABASE far OWNER credits");
  const args = [file, "--database", "far"];
  const { stdout } = await runScript(SCRIPTS["db:restore"] ?? "", args, far);
  const said = / backed up (\S+ \S+) UTC$/m.exec(stdout)?.[1] ?? "";
  const at = Date.parse(`${said.replace(" ", "T")}Z`);
  expect(at).toBeGreaterThanOrEqual(before - 1000);
  expect(at).toBeLessThanOrEqual(Date.now());
  expect(stdout).toContain(`reconcile --since ${said.slice(0, 10)}`);
});

withServer("a file that is cut short restores nothing", async () => {
  const { sql, url } = await openServer();
  const live = url("credits", "credits");
  const file = path.join(folder, "whole.dump");
  await run("db:backup", [file], live);
  const whole = readFileSync(file);
  const cut = path.join(folder, "cut.dump");
  writeFileSync(cut, whole.subarray(0, whole.length - 2_000));
  await sql("CREATE DATABASE cut OWNER credits");
  expect((await run("db:restore", [cut, "--database", "cut"], live)).code).toBe(1);
  const session = await openSession(url("cut", "credits"));
  const { rows } = await session.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([]);
});
