import type { CommentRange, ImportDeclaration, SourceFile } from "ts-morph";
import { MODULES, type Note } from "./modules";

/** A comment for the linter or the compiler speaks of one import alone. */
const isForTools = (comment: CommentRange) => /biome-ignore|eslint-|@ts-/.test(comment.getText());

/**
 * Joins the imports of React Router that name the same module. One with a comment for tools stays as it is, but the
 * formatter joins it, too, if there is another: then its place is noted.
 */
export function joinImports(file: SourceFile, note: Note): void {
  const commented: [ImportDeclaration, CommentRange][] = [];
  const kept = new Map<string, ImportDeclaration>();
  for (const declaration of file.getImportDeclarations()) {
    const module = declaration.getModuleSpecifierValue();
    if (!Object.values(MODULES).includes(module) || declaration.getNamespaceImport()) continue;
    const comment = declaration.getLeadingCommentRanges().find(isForTools);
    if (comment) {
      commented.push([declaration, comment]);
      continue;
    }
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
  for (const [declaration, comment] of commented) {
    const module = declaration.getModuleSpecifierValue();
    const [words = ""] = comment.getText().split("\n");
    if (importsOf(file, module).length > 1)
      note(
        declaration,
        `this comment is for one import of ${module}, which \`npm run format\` joins with another: put it over each name that needs it`,
        words,
      );
  }
}

const importsOf = (file: SourceFile, module: string) =>
  file
    .getImportDeclarations()
    .filter((one) => one.getModuleSpecifierValue() === module && !one.getNamespaceImport());
