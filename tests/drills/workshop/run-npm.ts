import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a script of `package.json` in a copy of the project, and returns what it prints. @throws Error with all of that if it fails. */
export async function runNpm(folder: string, script: string, ...args: string[]): Promise<string> {
  const { PATH, HOME, CHROMIUM_PATH } = process.env;
  const env = { NODE_ENV: "test", NO_COLOR: "1", PATH, HOME, CHROMIUM_PATH } as const;
  const { stdout } = await promisify(execFile)("npm", ["run", script, "--", ...args], {
    ...{ cwd: folder, env, maxBuffer: 64 * 1024 * 1024 },
  }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`npm run ${script} ${args.join(" ")} failed:\n${stdout}\n${stderr}`);
  });
  return stdout;
}
