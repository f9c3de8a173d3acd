import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { generateMigration } from "../../../scripts/db/generate-migration";
import { migrateDatabase } from "../../../scripts/db/migrate";
import { checkMigrations } from "../../../scripts/starter/checks/check-migrations";
import { checkSnapshot } from "../../../scripts/starter/checks/check-snapshot";
import { JOURNAL, recordMigrations } from "../../../scripts/starter/journal";
import { folderTree } from "../../../scripts/starter/tree";
import { createFolder, listApplied, select } from "../../helpers/migrations";
import { createEmptyDatabase } from "../../helpers/test-database";

const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "../generated"
}

datasource db {
  provider = "postgresql"
}

model people {
  id Int @id
}

model pets {
  id Int @id
}
`;

/** A repository whose one migration made both tables, with this project's own rules for merging. */
async function createRepository() {
  const folder = await createFolder({ ".gitignore": "" });
  const at = (file: string) => path.join(folder, file);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  mkdirSync(at("prisma/migrations/meta"), { recursive: true });
  cpSync(".gitattributes", at(".gitattributes"));
  writeFileSync(
    at("prisma/migrations/0001_init.sql"),
    "CREATE TABLE people (id int PRIMARY KEY);\nCREATE TABLE pets (id int PRIMARY KEY);\n",
  );
  writeFileSync(at("prisma/schema.prisma"), SCHEMA);
  writeFileSync(at("prisma/migrations/meta/_snapshot.prisma"), SCHEMA);
  const commit = (message: string) => {
    writeFileSync(at(JOURNAL), recordMigrations(folderTree(folder)).text);
    git("add", "-A");
    git("commit", "-qm", message);
  };
  git("init", "-q", "--initial-branch", "main");
  commit("Both tables");
  return {
    folder,
    git,
    migrations: at("prisma/migrations"),
    /** Adds a column to a table by a migration, on a branch from main. */
    async branch(table: string, column: string) {
      git("switch", "-q", "--create", table, "main");
      const schema = readFileSync(at("prisma/schema.prisma"), "utf8");
      const model = `model ${table} {\n  id Int @id\n`;
      writeFileSync(
        at("prisma/schema.prisma"),
        schema.replace(model, `${model}  ${column} String?\n`),
      );
      const generated = await generateMigration({
        name: `${table}_${column}`,
        schemaFile: at("prisma/schema.prisma"),
        folder: at("prisma/migrations"),
        databaseUrl: inject("postgresUrl"),
      });
      if (generated.status === "unchanged") throw new Error("the schema did not change");
      commit(table);
      return path.basename(generated.file);
    },
  };
}

const columns = (databaseUrl: string) =>
  select(
    databaseUrl,
    "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN ('people', 'pets') AND column_name <> 'id' ORDER BY 1",
  );

test("migrations of two branches merge without a conflict, and apply whichever a database had first", async () => {
  const { folder, git, migrations, branch } = await createRepository();
  const database = { people: "", pets: "", fresh: await createEmptyDatabase() };
  const files: Record<string, string> = {};
  for (const [table, column] of [
    ["people", "name"],
    ["pets", "colour"],
  ] as const) {
    files[table] = await branch(table, column);
    database[table] = await createEmptyDatabase();
    await migrateDatabase({ databaseUrl: database[table], folder: migrations });
    expect(await listApplied(database[table])).toEqual(["0001_init.sql", files[table]]);
  }

  git("switch", "-q", "people");
  git("merge", "-q", "--no-edit", "pets");
  const tree = folderTree(folder);
  expect([checkMigrations(tree), checkSnapshot(tree)]).toMatchObject([
    { status: "pass" },
    { status: "pass" },
  ]);
  for (const databaseUrl of Object.values(database)) {
    await migrateDatabase({ databaseUrl, folder: migrations });
    expect(await listApplied(databaseUrl)).toEqual(
      ["0001_init.sql", ...Object.values(files)].sort(),
    );
    expect(await columns(databaseUrl)).toEqual([
      ["people", "name"],
      ["pets", "colour"],
    ]);
  }
});
