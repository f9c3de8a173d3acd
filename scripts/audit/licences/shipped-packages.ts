import { spawnSync } from "node:child_process";
import { z } from "zod";

/** The Dockerfile leaves these out of the image, and so whatever only they need. */
export const LEFT_OUT = ["prisma", "typescript"];

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** As the package says it; null if it doesn't. */
  license: z.string().nullable().default(null),
  /** Its folder. */
  path: z.string(),
  /** Its place in the tree of packages, "" for the project. */
  location: z.string(),
  /** Places of the packages that it needs. */
  to: z.array(z.string()),
});

export type Package = z.output<typeof packageSchema>;

/** Returns the installed packages that a server runs with, by their names. */
export function listShippedPackages(): Package[] {
  const { stdout, stderr } = spawnSync("npm", ["query", ".prod"], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (!stdout) throw new Error(`npm query failed: ${stderr}`);
  return reachable(z.array(packageSchema).parse(JSON.parse(stdout)));
}

/** Returns what the project needs, directly or not, without what is left out. */
export function reachable(packages: Package[]): Package[] {
  const byLocation = new Map(packages.map((each) => [each.location, each]));
  const found = new Set<Package>();
  const visit = (location: string) => {
    const each = byLocation.get(location);
    if (!each || found.has(each) || LEFT_OUT.includes(each.name)) return;
    found.add(each);
    each.to.forEach(visit);
  };
  visit("");
  const [, ...shipped] = found;
  return shipped.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}
