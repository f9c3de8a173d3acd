// In plain JavaScript that old versions of Node run: this is the first thing on a fresh clone, before any
// package is installed.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateClient, isClientCurrent } from "../generate-client.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The lockfile brings it on Linux, and npm then runs every script by it. */
const pinnedNode = path.join(root, "node_modules/.bin/node");
/** How long the end of npm can go unnoticed. */
const CHECK_MS = 500;

/**
 * Installs missing packages of the lockfile and generates the database client. If this Node is too old,
 * runs the script once more by the Node of the lockfile, and ends with it.
 */
export async function ensureInstalled() {
  if (!isInstalled()) {
    console.log("Installing packages (npm ci)…");
    // Not its warnings: one is about this Node, which is replaced below.
    const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
    const { status } = spawnSync("npm", args, {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) fail("npm ci failed; its own messages stand above.");
  }
  if (!isSupported()) await goOnByPinnedNode();
  if (!isClientCurrent()) generateClient();
}

/** The oldest Node that this project runs on, as in 22.18: npm only warns about it. */
const oldestNode = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"))
  .engines.node.replace(/^>=/, "")
  .replace(/\.0$/, "");

function isSupported() {
  const [[major = 0, minor = 0], [oldestMajor = 0, oldestMinor = 0]] = [
    process.versions.node,
    oldestNode,
  ].map((version) => version.split(".").map(Number));
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Never resolves: the process ends as the other one does. */
function goOnByPinnedNode() {
  if (spawnSync(pinnedNode, ["--version"]).status !== 0)
    fail(`Node ${oldestNode} or newer is needed, best 24; this is ${process.versions.node}.`);
  const child = spawn(pinnedNode, process.argv.slice(1), { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  // An npm that is killed outright passes no signal on.
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || child.kill("SIGTERM"), CHECK_MS);
  return new Promise(() => {
    child.once("exit", (code) => process.exit(code ?? 1));
  });
}

/** Whether node_modules matches the lockfile, by npm's own record. */
export function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const present = readPackages("node_modules/.package-lock.json");
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === "" || optional || present[name]?.version === version,
  );
}

/** @returns {Record<string, { version?: string, optional?: boolean }>} */
function readPackages(/** @type {string} */ file) {
  const full = path.join(root, file);
  return existsSync(full) ? JSON.parse(readFileSync(full, "utf8")).packages : {};
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(message);
  process.exit(1);
}
