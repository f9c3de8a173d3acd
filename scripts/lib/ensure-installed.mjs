// In plain JavaScript: this runs on a fresh clone, before any package is installed.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { generateClient, isClientCurrent } from "../generate-client.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Installs missing packages of the lockfile and generates the database client. */
export function ensureInstalled() {
  requireNode();
  if (!isInstalled()) {
    console.log("Installing packages (npm ci)…");
    const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) fail("npm ci failed; its own messages stand above.");
  }
  if (!isClientCurrent()) generateClient();
}

/** Checks `engines` in package.json, because npm only warns about it. */
function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (!isSupported) {
    fail(`Node 20.19, 22.12 or newer is needed, best 24; this is ${process.versions.node}.`);
  }
}

/** Whether node_modules matches the lockfile, by npm's own record. */
function isInstalled() {
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
