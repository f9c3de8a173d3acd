import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isOfRemix, type Left } from "./modules";
import { isRemoved } from "./places";

const CODE = /\.(?:[mc]?[jt]s|[jt]sx|mdx)$/;

/** Returns the tracked files of code that name Remix and that `tsconfig.json` leaves out, so that nobody rewrote them. */
export function listUnseen(folder: string, tracked: string[], seen: Set<string>): Left[] {
  return tracked.flatMap((file) => {
    const place = path.join(folder, file);
    if (!CODE.test(file) || seen.has(file) || isRemoved(file) || !existsSync(place)) return [];
    const lines = readFileSync(place, "utf8").split("\n");
    const line = 1 + lines.findIndex((text) => namesRemix(text));
    return line === 0
      ? []
      : [{ file, line, what: "name React Router's modules: tsconfig.json leaves this file out" }];
  });
}

const namesRemix = (line: string) =>
  [...line.matchAll(/@remix-run\/[\w-]+/g)].some(([module]) => isOfRemix(module));
