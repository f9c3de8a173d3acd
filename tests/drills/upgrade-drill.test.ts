import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listApplied, openSession, select } from "../helpers/migrations";
import { copyProject, type ProjectCopy } from "../helpers/project-copy";
import { createEmptyDatabase } from "../helpers/test-database";

// A year-old project has only the first migration, an older README and a variable that no longer
// exists. Then its owner upgrades it, with data in its database and changes of their own.

const M = "prisma/migrations";
const OLD = "0.9.0";
const INSTALL_MS = 10 * 60_000;

async function makeUpstream(): Promise<ProjectCopy & { version: string }> {
  const upstream = copyProject();
  await upstream.run("scripts/starter/release.command.ts", ["--again"]);
  return { ...upstream, version: JSON.parse(upstream.read("package.json")).version };
}

async function makeOldProject(): Promise<ProjectCopy> {
  const project = copyProject();
  const later = project
    .git("ls-files", M)
    .split("\n")
    .filter((file) => /\/(?!0001)\d{4}_/.test(file));
  for (const file of later) project.remove(file);
  // The upgrade replaces both. They only have to differ from today's.
  const schema = project.read("prisma/schema.prisma").replace(/^model JobRun \{[^}]*\}\n/m, "");
  project.write("prisma/schema.prisma", schema);
  project.write(`${M}/meta/_snapshot.prisma`, schema);
  project.edit(`${M}/meta/_journal.json`, (text) => {
    const { entries } = JSON.parse(text);
    return `${JSON.stringify({ entries: entries.slice(0, 1) }, null, 2)}\n`;
  });
  for (const file of ["package.json", "package-lock.json"]) {
    project.edit(file, (text) => {
      const json = JSON.parse(text);
      json.version = OLD;
      if (json.packages) json.packages[""].version = OLD;
      return `${JSON.stringify(json, null, 2)}\n`;
    });
  }
  project.write("CHANGELOG.md", `# Changelog\n\n## [${OLD}] - 2025-11-21\n\nFirst.\n`);
  project.edit("README.md", (text) => text.replace("## Run it", "## How to run it"));
  project.edit(".env.example", (text) => `${text.replace(/^# LOG_LEVEL=.*\n/m, "")}# OLD_NAME=\n`);
  project.write("docs/old.md", "# Gone today\n");
  project.remove(`${M}/meta/_checksums.sha256`);
  project.remove(".starter/manifest.json");
  expect(await project.run("scripts/starter/release.command.ts")).toMatchObject({ code: 0 });
  project.git("add", "-A");
  project.git("commit", "-qm", `Version ${OLD}`);
  return project;
}

async function fillDatabase(databaseUrl: string, project: ProjectCopy) {
  const migrated = await project.run("scripts/db/migrate.command.ts", [], {
    DATABASE_URL: databaseUrl,
  });
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringContaining("done: 1 applied") });
  const session = await openSession(databaseUrl);
  await session.query(
    "INSERT INTO users (email) SELECT format('u%s@example.com', n) FROM generate_series(1, 500) n",
  );
}

/** Of the columns that the first migration made. */
const everyUser = `SELECT md5(string_agg(concat_ws('|', id, email, email_verified_at, name, password_hash, locale,
  created_at), ',' ORDER BY id)) FROM users`;

test("a project of the first migration, with data and local changes, is brought to the present", {
  timeout: INSTALL_MS,
}, async () => {
  const [upstream, project] = [await makeUpstream(), await makeOldProject()];
  const databaseUrl = await createEmptyDatabase();
  await fillDatabase(databaseUrl, project);
  const users = await select(databaseUrl, everyUser);

  // The owner changes one file that upstream changed too and one that it didn't, and adds another.
  project.edit("README.md", (text) => text.replace("# Remix Credits Starter", "# Our Service"));
  project.edit("docs/credits.md", (text) => `${text}\nOur own note.\n`);
  project.write("app/ours.ts", "export const ours = 1;\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "Ours");
  const before = project.git("rev-parse", "HEAD");

  const upgrade = (...args: string[]) =>
    project.run(
      "scripts/starter/upgrade.command.ts",
      ["--from", OLD, "--to", upstream.version, "--upstream", upstream.folder, ...args],
      {
        DATABASE_URL: databaseUrl,
        HOME: process.env.HOME ?? "",
        GIT_AUTHOR_NAME: "Test",
        GIT_AUTHOR_EMAIL: "test@example.com",
        GIT_COMMITTER_NAME: "Test",
        GIT_COMMITTER_EMAIL: "test@example.com",
        npm_config_prefer_offline: "true",
        OLD_NAME: "1",
      },
    );

  const plan = await upgrade();
  expect(plan).toMatchObject({ code: 0, stderr: "" });
  for (const line of [
    `${upstream.version}, 20`,
    "1 of your own are left alone, and 1 that only you changed or deleted",
    "         docs/credits.md",
    "1 to merge by hand",
    "README.md  changed on both sides",
    "new   LOG_LEVEL",
    "gone  OLD_NAME (set here: remove it)",
    `${M}/0002_credits.sql`,
  ]) {
    expect(plan.stdout).toContain(line);
  }
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.git("rev-parse", "HEAD")).toBe(before);

  const without = await upgrade("--run");
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("stopped at step 2") });
  expect(without.stderr).toContain("--backup <file>");
  expect(project.git("rev-parse", "HEAD")).toBe(before);

  const dump = path.join(project.folder, "../dump");
  writeFileSync(dump, "PGDMP");
  const stopped = await upgrade("--run", "--backup", dump);
  expect(stopped.code).toBe(1);
  expect(stopped.stderr).toContain("stopped at step 3: merge README.md by hand");
  expect(project.read("README.md")).toContain("# Our Service");
  expect(project.read("README.md")).toContain("## How to run it");
  expect(project.git("branch", "--show-current")).toBe(`starter-${upstream.version}\n`);
  expect(await listApplied(databaseUrl)).toEqual(["0001_init.sql"]);

  project.edit("README.md", (text) => text.replace("## How to run it", "## Run it"));
  project.git("commit", "-qam", "Merge README by hand");
  const done = await upgrade("--run", "--backup", dump, "--merged", "README.md");
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });

  const names = upstream.git("ls-files", `${M}/*.sql`).trim().split("\n");
  expect(await listApplied(databaseUrl)).toEqual(names.map((name) => path.basename(name)));
  expect(await select(databaseUrl, everyUser)).toEqual(users);
  expect(project.read("docs/credits.md")).toContain("Our own note.");
  expect(project.read("README.md")).toContain("# Our Service");
  expect(project.read("app/ours.ts")).toBe("export const ours = 1;\n");
  const check = await project.run("scripts/starter/check.command.ts");
  expect(check.stdout).toContain("2 changed, 0 deleted, 1 added since the starter's");
  expect(check.stdout).toContain(
    "  changed  README.md\n  changed  docs/credits.md\n  added    app/ours.ts\nall checks passed",
  );
  expect(project.git("show", `${before.trim()}:README.md`)).toContain("## How to run it");
});
