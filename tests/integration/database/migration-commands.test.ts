import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../../scripts/lib/free-port";
import { createFolder, findTable } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";
import { createEmptyDatabase } from "../../helpers/test-database";

const run = (command: string, args: string[], databaseUrl: string) =>
  runScript(`scripts/db/${command}.command.ts`, args, { DATABASE_URL: databaseUrl });

test("db:status ends with 0 when up to date, else with 1, and changes nothing", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({ "0001_a.sql": "CREATE TABLE a (id int);" });
  const status = (...args: string[]) => run("status", ["--folder", folder, ...args], databaseUrl);

  expect(await status()).toEqual({
    code: 1,
    stdout: "pending  0001_a.sql\n0 applied, 1 pending, 0 changed, 0 missing\n",
    stderr: "",
  });
  expect(await findTable(databaseUrl, "app_migrations")).toBeNull();

  expect(await run("migrate", ["--folder", folder], databaseUrl)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^\{.*"command":"db:migrate".*"applied":"0001_a.sql".*\}\n$/),
  });
  expect(await status()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^applied {2}0001_a\.sql {2}\d{4}-\S+Z\n1 applied, 0 pending/),
  });

  await writeFile(path.join(folder, "0001_a.sql"), "CREATE TABLE b (id int);");
  const { code, stdout } = await status("--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    upToDate: false,
    applied: [],
    pending: [],
    changed: ["0001_a.sql"],
    missing: [],
    outOfOrder: [],
  });
  const elsewhere = await createFolder({});
  expect(await run("status", ["--folder", elsewhere], databaseUrl)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("missing  0001_a.sql"),
  });
});

test("db:migrate names what failed in one line and ends with 1; db:status goes on to show it pending", async () => {
  const databaseUrl = await createEmptyDatabase();
  const folder = await createFolder({ "0001_a.sql": "CREATE TABLE a (id int);\nSELECT nope;" });
  expect(await run("migrate", ["--folder", folder], databaseUrl)).toEqual({
    code: 1,
    stdout: "applying 0001_a.sql\n",
    stderr: 'db:migrate: 0001_a.sql, line 2: column "nope" does not exist — in: SELECT nope\n',
  });
  expect(await run("migrate", ["--dry-run", "--folder", folder], databaseUrl)).toMatchObject({
    code: 0,
    stdout: "would apply 0001_a.sql\n1 to apply; nothing was changed\n",
  });
});

test("db:push fails whatever the environment, and says what to use", async () => {
  for (const databaseUrl of ["", await createEmptyDatabase()]) {
    const { code, stdout, stderr } = await run("push", [], databaseUrl);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).toContain("npm run db:generate");
    expect(stderr).toContain("npm run db:migrate");
  }
});

test("no message has the password, whether no server listens or the password is wrong", async () => {
  const password = "pass%2Fword-xyzzy";
  const reachable = new URL(await createEmptyDatabase());
  reachable.username = "nobody_here";
  reachable.password = password;
  const unreachable = `postgresql://someone:${password}@127.0.0.1:${await freePort()}/name`;
  for (const databaseUrl of [reachable.href, unreachable]) {
    for (const command of ["migrate", "status"]) {
      const { code, stdout, stderr } = await run(command, [], databaseUrl);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^db:\w+: cannot connect to postgresql:\/\/\*\*\*@127\.0\.0\.1.*\n$/);
      expect(decodeURIComponent(stderr)).not.toMatch(/xyzzy/);
    }
  }
});

test.each(["migrate", "status", "push", "generate"])(
  "db:%s has help and refuses unknown arguments",
  async (command) => {
    const help = await run(command, ["--help"], "");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain(`npm run db:${command} -- `);
    const unknown = await run(command, ["--nonsense"], "");
    expect(unknown).toEqual({
      code: 2,
      stdout: "",
      stderr: `db:${command}: Unknown option '--nonsense' (--help says more)\n`,
    });
  },
);

test("a blank DATABASE_URL is an unset one", async () => {
  for (const blank of ["", "  "]) {
    expect(await run("status", [], blank)).toEqual({
      code: 1,
      stdout: "",
      stderr: "db:status: DATABASE_URL is not set: give it in the environment or in .env\n",
    });
  }
});
