import { spawnSync } from "node:child_process";
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

/** Returns the installed packages that `npm ci --omit=dev` installs, too, by their names. */
export function listProductionPackages(): Package[] {
  const { stdout, stderr } = spawnSync("npm", ["query", ".prod"], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  if (!stdout) throw new Error(`npm query failed: ${stderr}`);
  return z
    .array(packageSchema)
    .parse(JSON.parse(stdout))
    .filter(({ location }) => location !== "")
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}
