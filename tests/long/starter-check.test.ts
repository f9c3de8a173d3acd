import { expect, test } from "vitest";
import { copyProject } from "../helpers/project-copy";

const CHECK = "scripts/starter/check.command.ts";
const IDS = ["version", "migrations", "snapshot", "generated", "lockfile"];

test("this project passes its own check: a new migration is recorded with npm run starter:check -- --write", async () => {
  const { code, stdout } = await copyProject().run(CHECK, ["--json"]);
  const { checks } = JSON.parse(stdout);
  const faults = checks.filter(({ status }: { status: string }) => status === "fail");
  expect({ code, faults }).toEqual({ code: 0, faults: [] });
  expect(checks.map(({ id }: { id: string }) => id)).toEqual(IDS);
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
  expect(write.stderr).toContain("0001_init.sql: edited or gone since it was recorded");
});
