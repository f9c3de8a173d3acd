import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
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
    throw new Error(`CHROMIUM_PATH names ${named}, which is not a program`);
  }
  const found = findChromium() ?? (canInstall() ? installChromium() : undefined);
  if (found) return found;
  throw new Error(
    "This needs Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH",
  );
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...candidates, ...MAC_APPS].find(isExecutable);
}

const canInstall = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

function installChromium(): string | undefined {
  console.log("Installing Chromium (apt-get)…");
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    spawnSync("apt-get", args, {
      stdio: "ignore",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
  return findChromium();
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
