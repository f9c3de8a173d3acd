import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { git } from "../tree";
import { runStep } from "../upgrade/run-step";
import { editPlaces } from "./edit-places";
import { findPlaces } from "./find-places";
import type { Left } from "./modules";
import { hasOwnPackages, listRemixPackages, listRemixScripts } from "./own-packages";
import { listReplaced, movedManifest, REACT_ROUTER } from "./packages";
import { ADDED, REMOVED } from "./places";
import { listOwnOptions } from "./remix-options";
import { rewriteCode } from "./rewrite-code";

/**
 * The lockfile of the starter after the move, beside this file.
 * @public Only the workshop uses it elsewhere.
 */
export const LOCKFILE = "scripts/starter/react-router/package-lock.json";

/**
 * The command that undoes the move, run in the project's folder, as long as nothing is committed. Git knows nothing of new
 * files, and those that somebody added since are not the move's to remove.
 */
export const TAKE_BACK = `git checkout . && rm -f ${Object.keys(ADDED).join(" ")} && npm ci`;

/** Scripts that renew generated files and check the whole, by their names after `npm run`. */
const STEPS = [["validate:docs", "--", "--write"], ["format"], ["typecheck"], ["build"]];

/**
 * Moves the project in `folder` from Remix 2 to React Router 7, in place: code, packages, configuration. Installs,
 * checks the types and builds. Prints what it changed, and what it left to a person. Returns the exit code: 1 if
 * something was left or a check failed. It commits nothing.
 * @throws Error before anything is changed: uncommitted changes, or the branch main. Later, with the command that takes
 * the move back.
 */
export async function moveToReactRouter(
  folder: string,
  print: (line: string) => void,
): Promise<number> {
  requireMovable(folder);
  const run = (...command: string[]) => runStep({ folder, print }, command);
  const { told, left, hasOwn } = await orTakeBack(async () => {
    const moved = moveFiles(folder);
    // With the scripts of packages, as `allowScripts` has them: one of the project's own may come in another version.
    if ((await run("npm", "install")).passed) return moved;
    printLeft(folder, moved.left, print);
    throw new Error("npm install failed: see above");
  });
  const failed: string[] = [];
  for (const [script = "", ...args] of STEPS)
    if (!(await run("npm", "run", script, ...args)).passed) failed.push(`npm run ${script}`);

  for (const line of told) print(line);
  if (hasOwn) print("package-lock.json was written anew: look at your own packages in its diff");
  printLeft(folder, left, print);
  if (failed.length > 0) print(`${failed.join(", ")} failed: see above`);
  if (left.length > 0 || failed.length > 0) return 1;
  print("types and build pass. Next: npm test, then commit.");
  return 0;
}

async function orTakeBack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}. \`${TAKE_BACK}\` in the project's folder takes everything back`, {
      cause: error,
    });
  }
}

/** Writes and removes files. The parts that leave are still there if the code can't be rewritten. */
function moveFiles(folder: string): { told: string[]; left: Left[]; hasOwn: boolean } {
  const options = listOwnOptions(folder);
  const manifest = path.join(folder, "package.json");
  const before = readFileSync(manifest, "utf8");
  const moved = movedManifest(before);
  const lockfile = readFileSync(path.join(folder, LOCKFILE), "utf8");
  const packages = [...listRemixPackages(folder, moved), ...listRemixScripts(moved)];
  const { changed, left } = rewriteCode(folder);
  writeFileSync(manifest, moved);
  const places = editPlaces(folder);
  const removed = REMOVED.filter((file) => existsSync(path.join(folder, file)));
  for (const [file, text] of Object.entries(ADDED)) writeFileSync(path.join(folder, file), text);
  writeFileSync(path.join(folder, "package-lock.json"), lockfile);
  for (const file of REMOVED) rmSync(path.join(folder, file), { recursive: true, force: true });
  return {
    told: [
      `React Router ${REACT_ROUTER}: \`git diff\` shows all of it`,
      `packages: ${listReplaced(before).join(", ")}`,
      `rewritten: ${changed.length} files of code`,
      `edited: ${places.edited.join(", ")}`,
      `added: ${Object.keys(ADDED).join(", ")}`,
      `removed: ${removed.join(", ")}`,
    ],
    left: [...options, ...left, ...places.left, ...packages],
    hasOwn: hasOwnPackages(moved, lockfile),
  };
}

function printLeft(folder: string, left: Left[], print: (line: string) => void): void {
  for (const { file, line, what } of findPlaces(folder, left))
    print(`by hand: ${file}${line ? `:${line}` : ""}: ${what}`);
}

function requireMovable(folder: string): void {
  const branch = git(folder, ["symbolic-ref", "--short", "HEAD"])?.trim();
  if (!branch) throw new Error("this folder is on no branch: git switch -c react-router");
  if (branch === "main")
    throw new Error("this changes most files: git switch -c react-router first");
  // The project may be a folder of a larger repository: what is outside it stays as it is. A person's settings may hide new
  // files.
  const status = ["status", "--porcelain", "--untracked-files=all", "--", "."];
  if (git(folder, status)?.trim() !== "")
    throw new Error("there are changes that are not committed: commit or stash them first");
}
