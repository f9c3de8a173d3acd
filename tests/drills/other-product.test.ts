import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withDevClone } from "../helpers/dev-clone";
import { changeCatalog, INIT } from "../helpers/other-product";

const { folder } = withDevClone();
const start = promisify(execFile);

const COMMITTER = {
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** Runs `npm run …` in the clone, shows and returns what it prints, and throws with all of it if it fails. */
async function npmRun(...args: string[]): Promise<string> {
  const { PATH, HOME, CHROMIUM_PATH } = process.env;
  const env = { NODE_ENV: "test", NO_COLOR: "1", PATH, HOME, CHROMIUM_PATH, ...COMMITTER } as const;
  const options = { cwd: folder(), env, maxBuffer: 64 * 1024 * 1024 };
  const running = start("npm", ["run", ...args], options);
  running.child.stdout?.pipe(process.stdout, { end: false });
  const { stdout } = await running.catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`npm run ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    },
  );
  return stdout;
}

test("a fresh clone becomes a product by starter:init, which ends green and with a history of its own", async () => {
  const git = (...args: string[]) => start("git", args, { cwd: folder() });
  await start(process.execPath, ["scripts/generate-client.mjs"], { cwd: folder() });
  const output = await npmRun("starter:init", "--", ...INIT);
  expect(output).toContain("Scribo is ready");
  expect(output).toMatch(/Tests {2}\d+ passed/);
  const subjects = (await git("log", "--format=%s")).stdout.trim().split("\n");
  expect(subjects).toEqual([
    "Make it Scribo",
    expect.stringMatching(/^Begin with Remix Credits Starter /),
  ]);
  expect((await git("status", "--porcelain")).stdout).toBe("");
  const { stdout: left } = await git(
    "grep",
    "-liE",
    "for developers|scripts/workshop|decisions/00",
    // The code that took it away still names it.
    ...[
      "--",
      ":!scripts/starter",
      ":!scripts/validate",
      ":!tests/drills",
      ":!docs/make-it-yours.md",
    ],
  ).catch(() => ({ stdout: "" }));
  expect(left).toBe("");
}, 1_200_000);

test("other packs, one plan, other amounts and another language pass all checks", async () => {
  changeCatalog(folder());
  await npmRun("typecheck");
  await npmRun("validate:docs", "--", "--write");
  await npmRun("validate");
  expect(await npmRun("test")).toMatch(/Tests {2}\d+ passed/);
}, 2_700_000);
