import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Clones the newest commit into a folder of its own, with copies of the installed packages, and moves it to React Router
 * as a person would, which ends with types and build. The folder is the caller's to remove.
 */
export function moveCopy(): { folder: string; passed: boolean } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "react-router-"));
  execFileSync("git", ["clone", "--quiet", ".", folder]);
  execFileSync("git", ["checkout", "--quiet", "-B", "react-router"], { cwd: folder });
  // Hard links: npm replaces a package's files, it doesn't write into them.
  execFileSync("cp", ["-al", path.resolve("node_modules"), folder]);
  const { status } = spawnSync("npm", ["run", "--silent", "starter:react-router"], {
    cwd: folder,
    stdio: "inherit",
  });
  return { folder, passed: status === 0 };
}
