import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isOfRemix, type Left } from "./modules";
import { withoutRouter } from "./packages";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

interface Manifest extends Partial<Record<(typeof KINDS)[number], Record<string, string>>> {
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** Returns the packages in the moved `package.json` that belong to Remix or need it, as the installed ones say. */
export function listRemixPackages(folder: string, moved: string): Left[] {
  // React Router 6, which Remix needs, may still be installed.
  const manifest: Manifest = JSON.parse(withoutRouter(moved));
  const names = KINDS.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  return names.flatMap((name) => {
    if (isOfRemix(name))
      return [
        inManifest(name, `${name} belongs to Remix: find what React Router has in its place`),
      ];
    const installed = path.join(folder, "node_modules", name, "package.json");
    return existsSync(installed) && needsRemix(JSON.parse(readFileSync(installed, "utf8")))
      ? [inManifest(name, `${name} needs Remix: take its version for React Router`)]
      : [];
  });
}

/** Returns the scripts in the moved `package.json` that still call Remix. */
export function listRemixScripts(moved: string): Left[] {
  const { scripts = {} } = JSON.parse(moved) as { scripts?: Record<string, string> };
  return Object.entries(scripts)
    .filter(([, command]) => /\bremix(?:-serve)?(?= )/.test(command))
    .map(([name]) => inManifest(name, `the script ${name} calls Remix`));
}

const inManifest = (name: string, what: string): Left => ({
  ...{ file: "package.json", line: 1, what, words: JSON.stringify(name) },
});

/** A peer that may be absent is one framework of several. */
function needsRemix({ dependencies, peerDependencies, peerDependenciesMeta }: Manifest): boolean {
  const peers = Object.keys(peerDependencies ?? {});
  const needed = peers.filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys(dependencies ?? {}), ...needed].some(isOfRemix);
}

/** Returns whether the moved `package.json` wants packages or versions that the starter's lockfile of the move doesn't hold. */
export function hasOwnPackages(moved: string, lockfile: string): boolean {
  const manifest: Manifest = JSON.parse(moved);
  const locked: Manifest = JSON.parse(lockfile).packages?.[""] ?? {};
  return KINDS.some((kind) =>
    Object.entries(manifest[kind] ?? {}).some(
      ([name, version]) => locked[kind]?.[name] !== version,
    ),
  );
}
