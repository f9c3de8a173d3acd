import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Holds the hash of the sources that the build was made from. */
export const HASH_FILE = "build/sources.sha256";
/** Holds the beginning of the commit's id; empty where there was no Git. */
const COMMIT_FILE = "build/commit";

const INPUTS = [
  "app",
  "public",
  "scripts",
  "package-lock.json",
  "package.json",
  "prisma/schema.prisma",
  "remix.config.js",
  "tsconfig.json",
  "vite.commands.config.ts",
  "vite.config.ts",
];
/** Parts of them that no build holds. */
const NOT_BUILT =
  /\.test\.tsx?$|^app\/generated\/|^scripts\/(audit|dev|sandbox|starter|test|validate|workshop)\//;

/**
 * Returns the hash of the sources below `root`: of each file's path and content.
 * @returns {string}
 */
function hashSources(root = ".") {
  const hash = createHash("sha256");
  for (const file of listSources(root)) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(path.join(root, file)))
      .update("\n");
  }
  return hash.digest("hex");
}

/** Notes that the build below `root` was made from the sources as they are, and of which commit, if Git knows one. */
export function noteSources(root = ".") {
  writeFileSync(path.join(root, HASH_FILE), `${hashSources(root)}\n`);
  writeFileSync(path.join(root, COMMIT_FILE), readCommit(root));
}

/**
 * @param {string} root
 * @returns {string}
 */
function readCommit(root) {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short=10", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? stdout : "";
}

/**
 * Compares the build below `root` with its sources: "missing", "stale" or "fresh". Where there are no
 * sources, as in an image, a build is fresh.
 * @returns {"missing" | "stale" | "fresh"}
 */
export function checkBuild(root = ".") {
  const file = path.join(root, HASH_FILE);
  if (!existsSync(file)) return "missing";
  if (!existsSync(path.join(root, "vite.config.ts"))) return "fresh";
  return readFileSync(file, "utf8").trim() === hashSources(root) ? "fresh" : "stale";
}

/** @param {string} root */
const listSources = (root) =>
  INPUTS.flatMap((input) => listFiles(root, input)).filter((file) => !NOT_BUILT.test(file));

/**
 * @param {string} root
 * @param {string} input
 * @returns {string[]}
 */
function listFiles(root, input) {
  const start = path.join(root, input);
  if (!existsSync(start)) return [];
  if (path.extname(input) !== "") return [input];
  return readdirSync(start, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}
