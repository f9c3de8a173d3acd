import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** As the package says it; null if it doesn't. */
  license: z.string().nullable().default(null),
  /** Its folder. */
  path: z.string(),
  /** Its place in the tree of packages, "" for the project. */
  location: z.string(),
});

export type Package = z.output<typeof packageSchema>;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
});

/**
 * Returns the installed packages that `npm ci --omit=dev` installs, too, by their names.
 * @throws Error unless all are installed but optional ones, which may be of other machines
 */
export function listProductionPackages(folder = "."): Package[] {
  const { stdout, stderr } = spawnSync("npm", ["query", ".prod"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (!stdout) throw new Error(`npm query failed: ${stderr}`);
  const packages = z
    .array(packageSchema)
    .parse(JSON.parse(stdout))
    .filter(({ location }) => location !== "")
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
  const installed = new Set(packages.map(({ location }) => location));
  const missing = listRequired(folder).filter((location) => !installed.has(location));
  if (missing.length > 0)
    throw new Error(
      `${missing.length} packages are not installed, such as ${missing[0]}: run npm ci`,
    );
  return packages;
}

/** Returns the places of all packages that production needs, as the lockfile has them. */
function listRequired(folder: string): string[] {
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  return Object.entries(lockSchema.parse(JSON.parse(lock)).packages).flatMap(
    ([location, { dev, optional }]) => (location === "" || dev || optional ? [] : location),
  );
}
