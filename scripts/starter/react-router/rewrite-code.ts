import path from "node:path";
import { type Node, Project } from "ts-morph";
import { git } from "../tree";
import { joinImports } from "./join-imports";
import type { Left } from "./modules";
import { moveExport, moveImport } from "./move-names";
import { isRemoved } from "./places";
import { renameModules } from "./rename-modules";
import { listUnseen } from "./unseen-files";

/**
 * Rewrites the code of the project in `folder` from Remix to React Router: imports, exports and other names of
 * modules, names that changed, and types. Returns the files it wrote, and every place that it left to a person.
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
    if (isRemoved(name) || !file.getFullText().includes("remix")) continue;
    const note = (node: Node, what: string) =>
      left.push({ file: name, line: node.getStartLineNumber(), what });
    for (const declaration of file.getImportDeclarations()) moveImport(file, declaration, note);
    for (const declaration of file.getExportDeclarations()) moveExport(declaration, note);
    joinImports(file);
    renameModules(file, name, note);
  }
  const tracked = git(folder, ["ls-files", "-z"])?.split("\0") ?? [];
  left.push(...listUnseen(folder, tracked, seen));
  const changed = project.getSourceFiles().filter((file) => !file.isSaved());
  project.saveSync();
  return { changed: changed.map((file) => path.relative(folder, file.getFilePath())), left };
}
