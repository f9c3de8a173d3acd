import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { withDevClone } from "../helpers/dev-clone";
import { makeOtherProduct } from "../helpers/other-product";

const { folder } = withDevClone();
const start = promisify(execFile);

/** Runs `npm run …` in the clone and returns what it printed. Throws, with all of it, if it fails. */
async function npmRun(...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { NODE_ENV: "test", PATH, HOME } as const;
  const options = { cwd: folder(), env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await start("npm", ["run", ...args], options).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`npm run ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
    },
  );
  return stdout;
}

test("another name, currency, other packs, one plan, other amounts and languages pass all checks", async () => {
  makeOtherProduct(folder());
  await start("git", ["init", "-q"], { cwd: folder() });
  await start(process.execPath, ["scripts/generate-client.mjs"], { cwd: folder() });
  await npmRun("typecheck");
  await npmRun("validate:docs", "--", "--write");
  await npmRun("validate");
  expect(await npmRun("test:unit")).toMatch(/Tests {2}\d+ passed/);
}, 900_000);
