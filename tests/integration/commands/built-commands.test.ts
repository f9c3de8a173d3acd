import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HASH_FILE } from "../../../scripts/lib/build-state.mjs";

/** A copy of what `npm run` needs, without a build. */
function createClone() {
  const root = mkdtempSync(path.join(os.tmpdir(), "built-commands-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const part of ["app", "scripts", "package.json", "tsconfig.json", "vite.config.ts"])
    cpSync(part, path.join(root, part), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(root, "node_modules"));
  const copyBuild = () => cpSync("build", path.join(root, "build"), { recursive: true });
  return { root, copyBuild };
}

function run(root: string, args: string[]) {
  const env = { PATH: process.env.PATH, NODE_ENV: "production" } as const;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const LEDGER = ["scripts/run.mjs", "ledger", "--help"];

test("an operator command runs from its source while there is no build or it is stale, and else from the build", async () => {
  const { root, copyBuild } = createClone();
  expect(await run(root, LEDGER)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("npm run ledger"),
  });
  // A program that betrays itself shows which of the two ran.
  copyBuild();
  writeFileSync(path.join(root, "build/commands/ledger.js"), "console.log('built')");
  expect((await run(root, LEDGER)).stdout).toContain("npm run ledger");
  rmSync(path.join(root, "vite.config.ts"));
  expect((await run(root, LEDGER)).stdout).toBe("built\n");
});

test.each(["start", "worker"])(
  "%s refuses to run without a build, and with one that is older than its sources",
  async (name) => {
    const { root, copyBuild } = createClone();
    const start = ["scripts/run.mjs", name];
    expect(await run(root, start)).toEqual({
      code: 1,
      stdout: "",
      stderr: "There is no build yet: run `npm run build` first.\n",
    });
    copyBuild();
    mkdirSync(path.join(root, "public"), { recursive: true });
    writeFileSync(path.join(root, HASH_FILE), "of other sources\n");
    expect(await run(root, start)).toEqual({
      code: 1,
      stdout: "",
      stderr: "The build is older than the source code: run `npm run build` first.\n",
    });
  },
);

test("a command that isn't there is refused with those that are", async () => {
  const { code, stderr } = await run(process.cwd(), ["scripts/run.mjs", "nothing"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^run\.mjs: 'nothing' is none of: start, worker, db:migrate/);
});
