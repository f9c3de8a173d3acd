import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { moveCopy } from "../../../scripts/workshop/react-router/moved-copy";

/** Browser tests of what React Router does in the browser, and of pages that it only renders. */
const BROWSER_TESTS = [
  ...["hydration", "page-script", "generator", "generator-results", "files"],
  ...["payments", "account", "keyboard", "nothing-forgotten", "verification"],
];

test("the project on React Router passes types, build, unit tests and ten browser tests", async () => {
  const { folder, passed } = moveCopy();
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(passed).toBe(true);
  const { PATH, HOME, CHROMIUM_PATH } = process.env;
  const env = { NODE_ENV: "test", NO_COLOR: "1", PATH, HOME, CHROMIUM_PATH } as const;
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  const run = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("npm", ["run", ...args], options).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`npm run ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
      },
    );
    expect(stdout).toMatch(/Tests {2}\d+ passed/);
  };
  await run("test:unit");
  await run("test:e2e", "--", ...BROWSER_TESTS.map((name) => `tests/e2e/${name}.test.ts`));
}, 2_700_000);
