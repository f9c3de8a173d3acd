import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isOfRemix, type Left } from "./modules";
import { EDITED, isRemoved } from "./places";

const READ = /\.(?:[mc]?[jt]s|[jt]sx|mdx|json|ya?ml|sh)$|(?:^|\/)Dockerfile/;

/** Packages are looked at by name, and some places by an edit of their own. */
const LOOKED_AT = new Set([...EDITED.map(({ file }) => file), "package.json", "package-lock.json"]);

/** Returns the tracked files that name Remix and are no code that `tsconfig.json` has, so that nobody rewrote them. */
export function listUnseen(folder: string, tracked: string[], seen: Set<string>): Left[] {
  return tracked.flatMap((file) => {
    const place = path.join(folder, file);
    const isOver = seen.has(file) || LOOKED_AT.has(file) || isRemoved(file);
    if (!READ.test(file) || isOver || !existsSync(place)) return [];
    const lines = readFileSync(place, "utf8").split("\n");
    const line = 1 + lines.findIndex((text) => namesRemix(text));
    return line === 0
      ? []
      : [
          {
            file,
            line,
            what: "name React Router's modules: this is no code that tsconfig.json has",
          },
        ];
  });
}

const namesRemix = (line: string) =>
  /\bremix vite:|\bremix-serve\b/.test(line) ||
  [...line.matchAll(/@remix-run\/[\w-]+/g)].some(([module]) => isOfRemix(module));
