import { expect, test } from "vitest";
import { runScript } from "../../helpers/run-script";

const UNIT_TEST = "app/utils/money.test.ts";
const run = (...args: string[]) =>
  runScript("scripts/test.mjs", args, { CHROMIUM_PATH: "/nowhere/chromium", NO_COLOR: "1" });

test("npm test without Chromium runs the other tests, and fails with one line on how to get it", async () => {
  const { code, stdout, stderr } = await run("--project", "unit", "--project", "e2e", UNIT_TEST);
  expect(stderr).toBe(
    "The tests of e2e fail: CHROMIUM_PATH names /nowhere/chromium, which is not a program: correct it or unset it\n",
  );
  expect(stdout).toMatch(/Test Files\s+1 passed \(1\)/);
  expect(code).toBe(1);
});

test("npm run test:e2e without Chromium runs nothing, and fails with that line", async () => {
  const { code, stdout, stderr } = await run("--project", "e2e");
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("The tests of e2e fail");
});

test("npm test -- --help says what it does, and runs nothing", async () => {
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  expect(stdout).toContain("npm test [-- <file>…");
  expect(stdout).not.toContain("Test Files");
});
