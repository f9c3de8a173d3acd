import { spawn } from "node:child_process";

export interface NpmOutput {
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 5 * 60_000;
/**
 * One retry, after a second. npm's default retries would hold up a build for minutes without a registry.
 */
const PATIENCE = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"];

/** Runs npm and returns its output. The exit code is ignored: npm also fails for accepted advisories. */
export function runNpm(args: string[]): Promise<NpmOutput> {
  return new Promise((resolve, reject) => {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    const child = spawn("npm", [...args, ...PATIENCE], { stdio, timeout: TIMEOUT_MS });
    const output: NpmOutput = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    child.once("error", reject);
    child.once("close", (_code, signal) =>
      signal ? reject(new Error(`npm ${args[0]} took too long`)) : resolve(output),
    );
  });
}
