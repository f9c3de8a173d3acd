import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runStep } from "../../starter/upgrade/run-step";

/** Clones the newest commit into a folder of its own, with copies of the installed packages. The folder is the caller's to remove. */
export function cloneCopy(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "react-router-"));
  execFileSync("git", ["clone", "--quiet", ".", folder]);
  execFileSync("git", ["checkout", "--quiet", "-B", "react-router"], { cwd: folder });
  linkPackages(path.resolve("node_modules"), path.join(folder, "node_modules"));
  return folder;
}

/** Moves a clone to React Router as a person would, which ends with types and build. `output` is what the move printed. */
export function moveIn(
  folder: string,
  print: (line: string) => void,
): Promise<{ passed: boolean; output: string }> {
  return runStep({ folder, print }, ["npm", "run", "--silent", "starter:react-router"]);
}

/** npm's own list of what is installed. */
const HIDDEN_LOCKFILE = ".package-lock.json";

/**
 * Makes a copy of installed packages whose files are hard links: npm replaces a package's files. It writes into its list of
 * them, so that is a copy. Where the two folders are on different file systems, everything is copied.
 */
export function linkPackages(from: string, to: string): void {
  if (spawnSync("cp", ["-al", from, to], { stdio: "ignore" }).status !== 0) {
    // Folders, which no link can stand for, are there already.
    rmSync(to, { recursive: true, force: true });
    execFileSync("cp", ["-a", from, to]);
  }
  rmSync(path.join(to, HIDDEN_LOCKFILE));
  copyFileSync(path.join(from, HIDDEN_LOCKFILE), path.join(to, HIDDEN_LOCKFILE));
  // Vite and Vitest write into their caches, too.
  for (const name of readdirSync(to))
    if (name.startsWith(".vite")) rmSync(path.join(to, name), { recursive: true });
}
