import { expect, test } from "vitest";
import { copyProject } from "../helpers/project-copy";

const CHECK = "scripts/starter/check.command.ts";
const IDS = ["version", "migrations", "journal", "generated", "lockfile"];

test("this project passes its own check: a new migration is recorded with npm run starter:check -- --write", async () => {
  const { code, stdout } = await copyProject().run(CHECK, ["--json"]);
  const { checks } = JSON.parse(stdout);
  const faults = checks.filter(({ status }: { status: string }) => status === "fail");
  expect({ code, faults }).toEqual({ code: 0, faults: [] });
  expect(checks.map(({ id }: { id: string }) => id)).toEqual(IDS);
});

test("after a release nothing differs; later changed, deleted and added files are listed without being a fault", async () => {
  const project = copyProject();
  const RELEASE = "scripts/starter/release.command.ts";
  expect(await project.run(RELEASE)).toMatchObject({ code: 1, stdout: "" });
  const release = await project.run(RELEASE, ["--again"]);
  expect(release).toMatchObject({ code: 0, stdout: expect.stringMatching(/^wrote .* tag v\d/) });
  const fresh = await project.run(CHECK);
  expect(fresh.stdout).toContain("0 changed, 0 deleted, 0 added");
  expect(fresh.stdout).toMatch(/all checks passed\n$/);

  project.edit("README.md", (text) => `${text}\nOurs.\n`);
  // Line ends depend on the checkout, so they don't count as a change.
  project.edit("LICENSE", (text) => text.replaceAll("\n", "\r\n"));
  project.remove("docs/credits.md");
  project.write("app/ours.ts", "export const ours = 1;\n");
  const { code, stdout } = await project.run(CHECK);
  expect(code).toBe(0);
  expect(stdout).toContain("1 changed, 1 deleted, 1 added");
  expect(stdout).toContain(
    "  changed  README.md\n  deleted  docs/credits.md\n  added    app/ours.ts\nall checks passed\n",
  );
});

test("each fault is named, with what to do, and the exit code is 1", async () => {
  const project = copyProject();
  project.edit("prisma/migrations/0001_init.sql", (text) => `${text}\nSELECT 1;\n`);
  project.edit("package.json", (text) => text.replace(/"version": "[^"]+"/, '"version": "9.0.0"'));
  project.edit("docs/configuration.md", (text) => `${text}\n`);
  project.remove("prisma/migrations/meta/_snapshot.prisma");
  const { code, stdout } = await project.run(CHECK, ["--json"]);
  const { passed, checks } = JSON.parse(stdout);
  expect({ code, passed }).toEqual({ code: 1, passed: false });
  expect(checks.map(({ status }: { status: string }) => status)).toEqual(IDS.map(() => "fail"));

  const write = await project.run(CHECK, ["--write"]);
  expect(write).toMatchObject({ code: 1, stdout: "" });
  expect(write.stderr).toContain("0001_init.sql: part of release");
});
