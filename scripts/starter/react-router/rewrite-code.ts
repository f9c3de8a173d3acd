import path from "node:path";
import { Project } from "ts-morph";
import { git } from "../tree";
import { joinImports } from "./join-imports";
import type { Left, Note } from "./modules";
import { moveExport, moveImport } from "./move-names";
import { isRemoved } from "./places";
import { noteRemains, renameModules } from "./rename-modules";
import { listUnseen } from "./unseen-files";

const NAMES_REMIX = /remix|react-router-dom/i;

/**
 * Rewrites the code of the project in `folder` from Remix to React Router: imports, exports and other names of
 * modules, names that changed, and types. Returns the files it wrote, and every place that it left to a person, with the
 * line on which it stood (`findPlaces` has it afterwards).
 * Nothing is written if it throws.
 */
export function rewriteCode(folder: string): { changed: string[]; left: Left[] } {
  const project = new Project({
    tsConfigFilePath: path.join(folder, "tsconfig.json"),
    skipFileDependencyResolution: true,
  });
  const left: Left[] = [];
  const seen = new Set<string>();
  for (const file of project.getSourceFiles()) {
    const name = path.relative(folder, file.getFilePath());
    seen.add(name);
    if (isRemoved(name) || !NAMES_REMIX.test(file.getFullText())) continue;
    const note: Note = (node, what, words) =>
      left.push({ file: name, line: node.getStartLineNumber(), what, words });
    for (const declaration of file.getImportDeclarations()) moveImport(file, declaration, note);
    for (const declaration of file.getExportDeclarations()) moveExport(declaration, note);
    joinImports(file, note);
    renameModules(file, name, note);
    noteRemains(file, name, note);
  }
  const tracked = git(folder, ["ls-files", "-z"])?.split("\0") ?? [];
  left.push(...listUnseen(folder, tracked, seen));
  const changed = project.getSourceFiles().filter((file) => !file.isSaved());
  project.saveSync();
  return { changed: changed.map((file) => path.relative(folder, file.getFilePath())), left };
}
