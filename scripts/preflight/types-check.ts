import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Check, fault, found, pass, skip } from "./check";

const ID = "code.types";
const TIMEOUT_MS = 5 * 60 * 1000;
const MOST_NAMED = 3;

/** Type-checks without writing anything, if the compiler and the sources are installed. */
export async function checkTypes(folder = "."): Promise<Check> {
  const compiler = findCompiler(folder);
  if (!compiler) return skip(ID, "TypeScript is not installed here, as in a production image");
  if (!existsSync(path.join(folder, "tsconfig.json")))
    return skip(ID, "there is no tsconfig.json here");
  const { code, output } = await run(compiler, folder);
  if (code === 0) return pass(ID, "TypeScript compiles");
  const errors = output.split("\n").filter((line) => /error TS\d+:/.test(line));
  const named = errors.slice(0, MOST_NAMED).join("; ") || output.trim().slice(-300);
  const count = errors.length === 1 ? "an error" : `${errors.length || "some"} errors`;
  const message =
    code === null ? "TypeScript did not finish" : `TypeScript finds ${count}: ${named}`;
  return found(ID, [fault(message, "run `npm run typecheck` and correct what it lists")]);
}

/** Returns the program that checks types in a folder; null where it isn't installed. */
export function findCompiler(folder: string): string | null {
  try {
    const { resolve } = createRequire(path.resolve(folder, "package.json"));
    return path.join(path.dirname(resolve("@typescript/native/package.json")), "bin/tsc");
  } catch {
    return null;
  }
}

/** `code` is null after a timeout. */
function run(compiler: string, folder: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Without the environment: the compiler needs none of its secrets.
    const child = spawn(process.execPath, [compiler, "--noEmit", "--pretty", "false"], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIMEOUT_MS,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}
