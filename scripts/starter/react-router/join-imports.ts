import type { CommentRange, ImportDeclaration, SourceFile } from "ts-morph";
import { MODULES } from "./modules";

/** A comment for the linter or the compiler speaks of one import alone. */
const isForTools = (comment: CommentRange) => /biome-ignore|eslint-|@ts-/.test(comment.getText());

/** Joins the imports of React Router that name the same module. */
export function joinImports(file: SourceFile): void {
  const kept = new Map<string, ImportDeclaration>();
  for (const declaration of file.getImportDeclarations()) {
    const module = declaration.getModuleSpecifierValue();
    if (!Object.values(MODULES).includes(module) || declaration.getNamespaceImport()) continue;
    if (declaration.getLeadingCommentRanges().some(isForTools)) continue;
    const first = kept.get(module);
    if (!first) {
      kept.set(module, declaration);
      continue;
    }
    const areTypes = [first, declaration].map((one) => one.isTypeOnly());
    const both = areTypes.every(Boolean);
    if (!both) {
      if (areTypes[0]) for (const named of first.getNamedImports()) named.setIsTypeOnly(true);
      first.setIsTypeOnly(false);
    }
    for (const named of declaration.getNamedImports()) {
      const structure = named.getStructure();
      first.addNamedImport({
        ...structure,
        isTypeOnly: !both && (areTypes[1] || Boolean(structure.isTypeOnly)),
      });
    }
    declaration.remove();
  }
}
