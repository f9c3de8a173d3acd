import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { cloneCopy, moveIn } from "../../../scripts/workshop/react-router/moved-copy";
import { runNpm } from "./run-npm";

/** Browser tests of what React Router does in the browser, and of pages that it only renders. */
const BROWSER_TESTS = [
  ...["hydration", "page-script", "generator", "generator-results", "files"],
  ...["payments", "account", "keyboard", "nothing-forgotten", "verification"],
];

test("the project on React Router passes types, build, unit tests and ten browser tests", async () => {
  const folder = cloneCopy();
  onTestFinished(() => rm(folder, { recursive: true }));
  expect((await moveIn(folder, console.log)).passed).toBe(true);
  const passed = /Tests {2}\d+ passed/;
  expect(await runNpm(folder, "test:unit")).toMatch(passed);
  const files = BROWSER_TESTS.map((name) => `tests/e2e/${name}.test.ts`);
  expect(await runNpm(folder, "test:e2e", ...files)).toMatch(passed);
}, 2_700_000);
