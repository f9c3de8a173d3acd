import type { Rollup } from "vite";

/** Modules in which a page that is React in the browser starts, by their path in the project. */
const STARTS = [
  "/app/entry.client.tsx",
  "/app/root.tsx",
  "/app/routes/$locale.tsx",
  "/app/routes/$locale.files.tsx",
  "/app/routes/$locale.demo.image-generator.tsx",
];

/** The interactive pages by the names that the framework gives their routes. */
export const INTERACTIVE_ROUTES = STARTS.filter((path) => path !== "/app/entry.client.tsx").map(
  (path) => path.replace(/^\/app\//, "").replace(/\.tsx$/, ""),
);

/** The packages that every such page needs. */
const PACKAGES =
  /\/node_modules\/(?:@remix-run|@react-router|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream|use-intl)\//;

/**
 * Puts what these pages share into two files: "packages", which changes with the lockfile alone, and
 * "frame". In thirty files of a few hundred bytes each it compresses worse. For Rollup's `manualChunks`.
 */
export function browserChunk(id: string, { getModuleInfo }: Rollup.ManualChunkMeta) {
  if (PACKAGES.test(id)) return "packages";
  if (!id.includes("/app/") || id.includes("/app/routes/")) return undefined;
  return startsOf(id, getModuleInfo, new Set()).size > 1 ? "frame" : undefined;
}

/** The starts that import the module, directly or through others. */
function startsOf(id: string, getModuleInfo: Rollup.GetModuleInfo, seen: Set<string>): Set<string> {
  const found = new Set<string>();
  if (seen.has(id)) return found;
  seen.add(id);
  const start = STARTS.find((path) => id.split("?")[0]?.endsWith(path));
  if (start) return found.add(start);
  for (const importer of getModuleInfo(id)?.importers ?? [])
    for (const start of startsOf(importer, getModuleInfo, seen)) found.add(start);
  return found;
}
