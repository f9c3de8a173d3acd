import { expect, test } from "vitest";
import { JOURNAL, recordMigrations } from "../../scripts/starter/journal";
import { folderTree } from "../../scripts/starter/tree";
import { mergeStarter } from "../../scripts/starter/upgrade/merge-starter";
import { readUpgrade } from "../../scripts/starter/upgrade/read-upgrade";
import { copyProject, type ProjectCopy } from "../helpers/project-copy";

const M = "prisma/migrations";
const SCHEMA = "prisma/schema.prisma";
const SNAPSHOT = `${M}/meta/_snapshot.prisma`;

const PERSON = {
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** A product on the branch `product`, and a newer commit of the starter on the branch `upstream`. */
function makeProduct(changes: {
  starter: (project: ProjectCopy) => void;
  product: (project: ProjectCopy) => void;
}): ProjectCopy {
  const project = copyProject();
  project.git("branch", "product");
  commitOn(project, "upstream", changes.starter);
  project.git("switch", "-q", "product");
  commit(project, changes.product);
  return project;
}

function commitOn(project: ProjectCopy, branch: string, change: (project: ProjectCopy) => void) {
  project.git("switch", "-qC", branch);
  commit(project, change);
}

function commit(project: ProjectCopy, change: (project: ProjectCopy) => void) {
  change(project);
  project.git("add", "-A");
  project.git("commit", "-qm", "A change", "--allow-empty");
}

const upgrade = (project: ProjectCopy, ...args: string[]) =>
  project.run("scripts/starter/upgrade.command.ts", args, PERSON);

const merge = (project: ProjectCopy) =>
  mergeStarter(readUpgrade(project.folder, "upstream"), {
    git: async (...args) => void project.git(...args),
    print: () => undefined,
  });

const heading = (text: string) => (project: ProjectCopy) =>
  project.edit("README.md", (old) => old.replace(/^.*/, text));

/** Adds a column to the users by a migration, all at the same place of the schema. */
const addColumn = (column: string, time: string) => (project: ProjectCopy) => {
  project.edit(SCHEMA, (text) => text.replace(/(model User \{\n)/, `$1  ${column} String?\n`));
  project.write(SNAPSHOT, project.read(SCHEMA));
  project.write(`${M}/${time}_${column}.sql`, `ALTER TABLE "users" ADD COLUMN "${column}" TEXT;\n`);
  project.write(JOURNAL, recordMigrations(folderTree(project.folder)).text);
};

test("the plan compares with the common ancestor, and a renamed product merges without a conflict", async () => {
  const project = makeProduct({
    starter(starter) {
      starter.edit("app/catalog.ts", (text) =>
        text.replace(/price: \{ credits: \d+, per: 1, /, "price: { credits: 12, per: 1, "),
      );
      starter.edit("CHANGELOG.md", (text) =>
        text.replace("### Added\n", "### Added\n\n- It. Action: none.\n"),
      );
      starter.edit(".env.example", (text) => `${text}# NEW_NAME=\n`);
      addColumn("nickname", "20270101000000")(starter);
    },
    product(product) {
      product.edit("app/catalog.ts", (text) => text.replace("Remix Credits Starter", "Our Shop"));
      product.edit(".env.example", (text) =>
        `OUR_KEY=\n${text}`.replace(/^# PROVIDER_A_PRICE_.*\n/gm, ""),
      );
    },
  });
  const { code, stdout, stderr } = await upgrade(project, "upstream");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("   - It. Action: none.\n");
  expect(stdout).toContain("     app/catalog.ts\n");
  expect(stdout).toContain("   new   NEW_NAME\n");
  expect(stdout).not.toMatch(/^ {3}gone /m);
  expect(stdout).toContain(`   ${M}/20270101000000_nickname.sql\n`);

  await merge(project);
  expect(project.read("app/catalog.ts")).toContain('"Our Shop"');
  expect(project.read("app/catalog.ts")).toContain("price: { credits: 12, per: 1, ");
  expect(project.git("status", "--porcelain")).toBe("");
  expect(readUpgrade(project.folder, "upstream").merge).toBe(
    project.git("rev-parse", "HEAD").trim(),
  );
});

test.each<[string, (project: ProjectCopy) => void, string]>([
  ["on main", (project) => project.git("switch", "-qC", "main"), "git switch --create"],
  ["with open changes", heading("# Ours"), "not committed"],
  [
    "with an edited migration",
    (project) => commit(project, () => project.write(`${M}/0001_init.sql`, "SELECT 1;\n")),
    "0001_init.sql is not what was recorded",
  ],
  [
    "with a schema that has no migration",
    (project) =>
      commit(project, () =>
        project.edit(SCHEMA, (text) => text.replace(/^model JobRun/m, "model Job")),
      ),
    "differs from the snapshot",
  ],
])("%s no merge begins", async (_when, change, message) => {
  const project = makeProduct({ starter: heading("# Theirs"), product: () => undefined });
  change(project);
  const before = project.git("rev-parse", "HEAD");
  const { code, stderr } = await upgrade(project, "upstream", "--run");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
  expect(project.git("rev-parse", "HEAD")).toBe(before);
});

test("a conflict stops it until it is resolved and added", async () => {
  const project = makeProduct({ starter: heading("# Theirs"), product: heading("# Ours") });
  const stopped = {
    code: 1,
    stdout: expect.stringMatching(/deleted them:\n {2}README\.md\n/),
    stderr: expect.stringMatching(/^starter:upgrade: resolve these files, git add .* --abort/),
  };
  expect(await upgrade(project, "upstream", "--run")).toMatchObject(stopped);
  // Added by mistake, with both sides still in it.
  project.git("add", "README.md");
  expect(await upgrade(project, "upstream", "--run")).toMatchObject(stopped);

  project.edit("README.md", (text) => text.replace(/<{7}[\s\S]*?>{7}.*\n/, "# Ours\n"));
  project.git("add", "README.md");
  await merge(project);
  expect(project.read("README.md")).toMatch(/^# Ours\n/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("the snapshot follows the resolved schema, and the journal has the migrations of both", async () => {
  const project = makeProduct({
    starter: addColumn("nickname", "20270101000000"),
    product: addColumn("motto", "20270101000000"),
  });
  await expect(merge(project)).rejects.toThrow("resolve these files");
  project.edit(SCHEMA, (text) => text.replace(/^(<{7}|={7}|>{7}).*\n/gm, ""));
  project.git("add", SCHEMA);
  await merge(project);
  expect(project.read(SCHEMA)).toMatch(/^ {2}nickname String\?$/m);
  expect(project.read(SCHEMA)).toMatch(/^ {2}motto String\?$/m);
  expect(project.read(SNAPSHOT)).toBe(project.read(SCHEMA));
  expect(recordMigrations(folderTree(project.folder)).added).toEqual([]);
});

/** The same product with a history of its own, from which that of the starter is gone. */
function beginAnew(project: ProjectCopy, first: (project: ProjectCopy) => void) {
  project.git("switch", "-q", "--orphan", "anew");
  project.git("checkout", "upstream~1", "--", ".");
  commit(project, first);
}

test("a history that began as a copy of the starter's files is grafted onto the commit with these files", async () => {
  const project = makeProduct({ starter: heading("# Theirs"), product: () => undefined });
  beginAnew(project, () => undefined);
  commit(project, () =>
    project.edit("README.md", (text) => text.replace("## Run it", "## How to run it")),
  );
  expect((await upgrade(project, "upstream")).stdout).toContain(
    "your first commit has exactly the files of",
  );
  await merge(project);
  expect(project.read("README.md")).toMatch(/^# Theirs\n[\s\S]*\n## How to run it\n/);

  // The graft is needed once.
  project.git("replace", "--delete", project.git("replace", "--list").trim());
  project.git("switch", "-q", "upstream");
  commit(project, () => project.write("docs/new.md", "# New\n"));
  project.git("switch", "-q", "anew");
  await merge(project);
  expect(project.read("docs/new.md")).toBe("# New\n");
});

test("a history that began with changes says how to tell git its beginning", async () => {
  const project = makeProduct({ starter: heading("# Theirs"), product: () => undefined });
  beginAnew(project, () => project.write("app/ours.ts", "export const ours = 1;\n"));
  const { code, stderr } = await upgrade(project, "upstream");
  expect(code).toBe(1);
  const [command = ""] = /git replace --graft \w+ \w+/.exec(stderr) ?? [];
  const [, , first = ""] = command.split(" ").slice(1);
  project.git("replace", "--graft", first, "upstream~1");
  await merge(project);
  expect(project.read("README.md")).toMatch(/^# Theirs\n/);
  expect(project.read("app/ours.ts")).toBe("export const ours = 1;\n");
});

test("a commit that git lacks, and one that is merged already, are named", async () => {
  const project = makeProduct({ starter: heading("# Theirs"), product: () => undefined });
  expect((await upgrade(project, "v9.9.9")).stderr).toContain("git fetch starter --tags");
  expect((await upgrade(project, "upstream~1")).stderr).toContain("has upstream~1 already");
});
