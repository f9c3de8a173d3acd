import { readdirSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { generateMigration } from "../../scripts/db/generate-migration";
import { copyProject } from "../helpers/project-copy";
import { runScript } from "../helpers/run-script";

interface PrismaFolder {
  schemaFile: string;
  folder: string;
  generate(name: string): ReturnType<typeof generateMigration>;
  edit(change: (schema: string) => string): Promise<void>;
  read(file: string): Promise<string>;
  list(): Promise<string[]>;
}

/** A copy of our prisma folder that a test may change, removed when the test ends. */
async function copyPrisma(): Promise<PrismaFolder> {
  const copy = await mkdtemp(path.join(tmpdir(), "prisma-"));
  onTestFinished(() => rm(copy, { recursive: true }));
  await cp("prisma", copy, { recursive: true });
  const schemaFile = path.join(copy, "schema.prisma");
  const folder = path.join(copy, "migrations");
  return {
    schemaFile,
    folder,
    generate: (name) =>
      generateMigration({ name, schemaFile, folder, databaseUrl: inject("postgresUrl") }),
    edit: async (change) => writeFile(schemaFile, change(await readFile(schemaFile, "utf8"))),
    read: (file) => readFile(path.join(folder, file), "utf8"),
    list: async () => (await readdir(folder, { recursive: true })).sort(),
  };
}

const addColumn = (schema: string) =>
  schema.replace("name            String?", "$&\n  nickname String?");

test("nothing is written when the database would not change", async () => {
  const prisma = await copyPrisma();
  const before = await prisma.list();
  await prisma.edit((schema) =>
    schema
      .replace(
        /generator client \{[^}]*\}/,
        'generator other {\n  provider = "prisma-client-js"\n}',
      )
      .concat("\n// Only a comment.\n"),
  );
  expect(await prisma.generate("nothing")).toEqual({ status: "unchanged" });
  expect(await prisma.list()).toEqual(before);
});

test("a change is written as a file that sorts last, and renews the snapshot", async () => {
  const prisma = await copyPrisma();
  const before = await prisma.list();
  await writeFile(path.join(prisma.folder, "20991231235959_by_hand.sql"), "SELECT 1;");
  await prisma.edit(addColumn);

  const name = "21000101000000_add_nickname.sql";
  expect(await prisma.generate("add_nickname")).toEqual({
    status: "generated",
    file: path.join(prisma.folder, name),
    drops: false,
  });
  expect((await prisma.list()).filter((file) => !before.includes(file))).toEqual([
    "20991231235959_by_hand.sql",
    name,
  ]);
  expect(await prisma.read(name)).toBe(
    '-- AlterTable\nALTER TABLE "users" ADD COLUMN     "nickname" TEXT;\n',
  );
  expect(await prisma.read("meta/_snapshot.prisma")).toBe(
    await readFile(prisma.schemaFile, "utf8"),
  );

  expect(await prisma.generate("again")).toEqual({ status: "unchanged" });
});

test("a drop is pointed out, since it may be a rename", async () => {
  const prisma = await copyPrisma();
  await prisma.edit((schema) => schema.replace("name            String?", "nickname String?"));
  expect(await prisma.generate("rename")).toMatchObject({ status: "generated", drops: true });
});

test("the first migration starts from nothing, and a lost snapshot is no reason to start again", async () => {
  const prisma = await copyPrisma();
  await rm(prisma.folder, { recursive: true });
  expect(await prisma.generate("init")).toMatchObject({ status: "generated", drops: false });
  const [file = ""] = await prisma.list();
  expect(file).toMatch(/^\d{14}_init\.sql$/);
  expect(await prisma.read(file)).toContain('CREATE TABLE "users"');

  await rm(path.join(prisma.folder, "meta"), { recursive: true });
  await expect(prisma.generate("again")).rejects.toThrow("has no snapshot to compare with");
});

test("a schema that is wrong is refused with its line, and nothing is written", async () => {
  const prisma = await copyPrisma();
  const before = await prisma.list();
  await prisma.edit((schema) => schema.replace("name            String?", "name Strin?"));
  await expect(prisma.generate("wrong")).rejects.toThrow(/Strin.*\n.*schema\.prisma:\d+/);
  expect(await prisma.list()).toEqual(before);
});

test("db:generate warns of what is dangerous in the file it wrote", async () => {
  const prisma = await copyPrisma();
  await prisma.edit((schema) => schema.replace("name            String?", "nickname String"));
  const args = ["--schema", prisma.schemaFile, "--folder", prisma.folder, "rename"];
  const { code, stdout } = await runScript("scripts/db/generate.command.ts", args, {});
  expect(code).toBe(0);
  expect(stdout).toMatch(/^warning: \S+_rename\.sql:\d+: ban-drop-column: Dropping a column/m);
  expect(stdout).toMatch(/^warning: \S+_rename\.sql:\d+: adding-required-field: /m);
});

test("db:generate needs no database, and refuses a name before it starts anything", async () => {
  const prisma = await copyPrisma();
  const args = ["--schema", prisma.schemaFile, "--folder", prisma.folder];
  const generate = (...name: string[]) =>
    runScript("scripts/db/generate.command.ts", [...args, ...name], { DATABASE_URL: "" });
  expect(await generate("no_change")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("nothing to generate"),
    stderr: "",
  });
  await prisma.edit((schema) => schema.replace("name            String?", "name Strin?"));
  expect(await generate("wrong")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^db:generate: .*Strin.*\n$/),
  });
  expect(await generate("Add Column")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("snake_case"),
  });
  expect(await generate()).toMatchObject({
    code: 2,
    stderr: "db:generate: missing argument <name> (--help says more)\n",
  });
});

test("db:generate renews the TypeScript client of its project", async () => {
  const project = copyProject();
  const CLIENT = "app/generated/prisma";
  project.edit("prisma/schema.prisma", addColumn);
  const { code, stdout } = await project.run("scripts/db/generate.command.ts", ["add_nickname"]);
  expect(code, stdout).toBe(0);
  expect(stdout).toContain("renewed the TypeScript client");
  const models = readdirSync(path.join(project.folder, CLIENT), {
    recursive: true,
    encoding: "utf8",
  });
  const texts = models.filter((file) => file.endsWith(".ts"));
  expect(texts.some((file) => project.read(path.join(CLIENT, file)).includes("nickname"))).toBe(
    true,
  );
});
