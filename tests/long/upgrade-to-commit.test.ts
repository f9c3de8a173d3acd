import { expect, test } from "vitest";
import { mergeCommit } from "../../scripts/starter/upgrade/merge-commit";
import { planCommit } from "../../scripts/starter/upgrade/plan-commit";
import { copyProject, type ProjectCopy } from "../helpers/project-copy";

const SPANISH = "app/i18n/locales/es.json";
const MANIFEST = ".starter/manifest.json";

/** A copy from before the manifest, and a newer commit of the starter on the branch `upstream`. */
function makeOldCopy(change: (upstream: ProjectCopy) => void): ProjectCopy {
  const project = copyProject();
  const manifest = project.read(MANIFEST);
  const main = project.git("branch", "--show-current").trim();
  project.remove(MANIFEST);
  project.git("commit", "-qam", "Before the manifest");
  project.git("switch", "-qc", "upstream");
  project.write(MANIFEST, manifest);
  change(project);
  project.git("add", "-A");
  project.git("commit", "-qm", "A newer starter");
  project.git("switch", "-q", main);
  return project;
}

const merge = (project: ProjectCopy) =>
  mergeCommit(planCommit({ folder: project.folder, to: "upstream" }), {
    folder: project.folder,
    git: async (...args) => void project.git(...args),
  });

const replaceLine = (at: number, line: string) => (text: string) =>
  text.split("\n").with(at, line).join("\n");

test("a copy without a manifest gets any commit, and a renamed product collides with no text", async () => {
  const project = makeOldCopy((upstream) => {
    upstream.edit("app/catalog.ts", (text) =>
      text.replace("CREDITS_PER_IMAGE = 10", "CREDITS_PER_IMAGE = 12"),
    );
    upstream.edit(SPANISH, (text) => text.replace(/"title": ".*"/, '"title": "Nuevo"'));
    upstream.edit("CHANGELOG.md", (text) =>
      text.replace("### Added\n", "### Added\n\n- It. Action: none.\n"),
    );
    upstream.write("docs/new.md", "# New\n");
  });
  project.edit("app/catalog.ts", (text) => text.replace("Remix Credits Starter", "Our Shop"));
  project.git("commit", "-qam", "Our name");

  const told = await project.run("scripts/starter/upgrade.command.ts", ["--to", "upstream"]);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toContain("- It. Action: none.");
  expect(told.stdout).toContain("1 for git to merge");
  expect(told.stdout).toContain("app/catalog.ts  changed on both sides");

  expect(await merge(project)).toEqual([]);
  expect(project.read("app/catalog.ts")).toContain('"Our Shop"');
  expect(project.read("app/catalog.ts")).toContain("CREDITS_PER_IMAGE = 12");
  expect(project.read(SPANISH)).toContain('"title": "Nuevo"');
  expect(project.read("docs/new.md")).toBe("# New\n");
  expect(project.git("status", "--porcelain")).toBe("");
  const { files } = JSON.parse(project.read(MANIFEST));
  expect(files["docs/new.md"]).toMatch(/^[0-9a-f]{64}$/);
});

test("where both sides changed one line it stops, and goes on once that is resolved", async () => {
  const project = makeOldCopy((upstream) => upstream.edit("README.md", replaceLine(0, "# Theirs")));
  project.edit("README.md", replaceLine(0, "# Ours"));
  project.git("commit", "-qam", "Our heading");

  expect(await merge(project)).toEqual(["README.md"]);
  project.edit("README.md", (text) => text.replace(/<{7}[\s\S]*?>{7}.*\n/, "# Ours\n"));
  project.git("commit", "-qam", "Resolve");
  expect(await merge(project)).toEqual([]);
  expect(project.read("README.md")).toMatch(/^# Ours\n/);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("without a common history it says what to do, and changes nothing", async () => {
  const project = copyProject();
  const stranger = project.git("commit-tree", "HEAD^{tree}", "-m", "Another beginning").trim();
  project.git("branch", "upstream", stranger);
  const { code, stderr } = await project.run("scripts/starter/upgrade.command.ts", [
    "--to",
    "upstream",
  ]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("have no commit in common"),
  });
});
