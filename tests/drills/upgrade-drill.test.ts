import { expect, test } from "vitest";
import { copyProject, type ProjectCopy } from "../helpers/project-copy";

// A product with a renamed site, a changed file and a file of its own gets a newer commit of the starter,
// by the command alone: it merges, installs, builds and checks as on an operator's machine.

/** An install and two builds: six minutes of an idle machine. */
const INSTALL_MS = 60 * 60_000;

const OURS = "app/utils/ours.ts";

function commit(project: ProjectCopy, message: string) {
  project.git("add", "-A");
  project.git("commit", "-qm", message);
}

test("a product is brought to a newer commit, past a conflict and a type error of its own", {
  timeout: INSTALL_MS,
}, async () => {
  const project = copyProject();
  project.git("switch", "-qc", "product");
  project.edit("README.md", (text) => text.replace("# Remix Credits Starter", "# Our Service"));
  project.write(
    OURS,
    'import { addMonths } from "./add-months";\n\nexport const later = addMonths;\n',
  );
  commit(project, "Ours");
  project.git("switch", "-qc", "starter", "product~1");
  project.edit("README.md", (text) => text.replace("# Remix Credits Starter", "# The Starter"));
  // A function that the product uses gets another name.
  for (const file of project.git("grep", "-lw", "addMonths").trim().split("\n"))
    project.edit(file, (text) => text.replace(/\baddMonths\b/g, "plusMonths"));
  commit(project, "A newer starter");
  project.git("switch", "-q", "product");

  const upgrade = () =>
    project.run("scripts/starter/upgrade.command.ts", ["starter", "--run"], {
      HOME: process.env.HOME ?? "",
      GIT_AUTHOR_NAME: "Test",
      GIT_AUTHOR_EMAIL: "test@example.com",
      GIT_COMMITTER_NAME: "Test",
      GIT_COMMITTER_EMAIL: "test@example.com",
      npm_config_prefer_offline: "true",
    });
  const stopped = await upgrade();
  expect(stopped).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^ *README\.md/m),
    stderr: expect.stringContaining("resolve these files"),
  });

  project.edit("README.md", (text) => text.replace(/<{7}[\s\S]*?>{7}.*\n/, "# Our Service\n"));
  project.git("add", "README.md");
  const merged = await upgrade();
  expect(merged, merged.stdout).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the merge is done; (build, )?typecheck failed/),
  });
  expect(merged.stdout).toMatch(
    new RegExp(`yours, in files that you added or changed:\n {4}${OURS}\\(1,10\\): error TS`),
  );
  expect(merged.stdout).not.toContain("the starter's, in files");

  project.edit(OURS, (text) => text.replaceAll("addMonths", "plusMonths"));
  commit(project, "Follow the starter");
  const done = await upgrade();
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("all checks passed");
  expect(done.stdout).not.toContain("npm ci");
  expect(project.read("README.md")).toMatch(/^# Our Service\n/);
});
