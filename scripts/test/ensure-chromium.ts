import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

// The shell first: it has no windows, menus and profiles, and so takes a quarter less processor time.
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];
/** Debian's packages, the best first: not every release has each of them. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
const MAC_APPS = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Returns the Chromium for browser tests and screenshots: `CHROMIUM_PATH`, or else the first one found. As root on
 * Debian it installs one. Throws one line on how to get it.
 */
export function ensureChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is not a program: correct it or unset it`);
  }
  const found = findChromium() ?? (canInstall() ? installChromium() : undefined);
  if (found) return found;
  throw new Error(
    "This needs Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH",
  );
}

/** Returns the best Chromium on the `PATH`, or on a Mac among the applications. */
function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, ...MAC_APPS].find(isExecutable);
}

const canInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

function installChromium(): string | undefined {
  console.log("Installing Chromium (apt-get)…");
  runAptGet("update");
  PACKAGES.find((name) => runAptGet("install", "-y", "--no-install-recommends", name));
  return findChromium();
}

/** Returns whether it succeeded. */
function runAptGet(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { stdio: "ignore", env }).status === 0;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
